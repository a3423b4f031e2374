"use client";

import { lazy, Suspense } from "react";
import { useInBrowser } from "@/components/ui/use-in-browser";

/** What a toast says. */
export interface ToastInput {
  title: string;
  description?: string | undefined;
  tone?: "done" | "failed" | undefined;
  /** Offers "Undo" for eight seconds. */
  undo?: (() => void) | undefined;
}

const load = () => import("@/components/ui/toast-list");
const ToastList = lazy(async () => ({ default: (await load()).ToastList }));

/** Says that something happened; an error stays until it is closed. */
export function toast(input: ToastInput): void {
  void load().then(({ addToast }) => addToast(input));
}

/** Where toasts appear; once in the app. Its code is loaded after the page's. */
export function Toasts() {
  return useInBrowser() ? (
    <Suspense>
      <ToastList />
    </Suspense>
  ) : null;
}
