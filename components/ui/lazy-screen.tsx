"use client";

import { lazy, Suspense, type ComponentType, type ReactNode } from "react";
import { Skeleton } from "@/components/ui/skeleton";
import { useInBrowser } from "@/components/ui/use-in-browser";

// On its way before any screen is; with the frame it would be part of every first load.
const urlState = import("nuqs/adapters/next/app");
const UrlState = lazy(async () => ({ default: (await urlState).NuqsAdapter }));

/**
 * A screen that is loaded separately, so that a page only loads the frame. Renders only in the browser, so that a visible
 * screen already handles every key.
 */
export function lazyScreen<P extends object>(load: () => Promise<ComponentType<P>>): (props: P) => ReactNode {
  const Screen: ComponentType<P> = lazy(async () => ({ default: await load() }));
  return function LazyScreen(props: P) {
    return (
      <InBrowser>
        <Screen {...props} />
      </InBrowser>
    );
  };
}

/** Its children in the browser only, with the URL as their state, and a grey place where they will be. */
export function InBrowser({ children }: { children: ReactNode }) {
  if (!useInBrowser()) return <ScreenSkeleton />;
  return (
    <Suspense fallback={<ScreenSkeleton />}>
      <UrlState>{children}</UrlState>
    </Suspense>
  );
}

function ScreenSkeleton() {
  return (
    <div role="status" aria-label="Loading" className="flex flex-col gap-4 px-5 py-4">
      <Skeleton className="h-8 w-64" />
      <Skeleton className="w-full max-w-3xl" />
      <Skeleton className="w-full max-w-2xl" />
    </div>
  );
}
