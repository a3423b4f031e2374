"use client";

import { lazy, Suspense } from "react";
import type { ToastInput } from "@/components/ui/overlays/toast-list";
import { useInBrowser } from "@/components/ui/use-in-browser";

const load = () => import("@/components/ui/overlays/toast-list");
const ToastList = lazy(async () => ({ default: (await load()).ToastList }));

/** Says that something happened; an error stays until it is closed. */
export function toast(input: ToastInput): void {
  void load().then(({ addToast }) => addToast(input));
}

/** The place of toasts, once in the app. Its code is loaded after the page's. */
export function Toasts() {
  return useInBrowser() ? (
    <Suspense>
      <ToastList />
    </Suspense>
  ) : null;
}
