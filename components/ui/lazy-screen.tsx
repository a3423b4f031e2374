import { lazy, Suspense, type ComponentType, type ReactNode } from "react";
import { Skeleton } from "@/components/ui/skeleton";
import { useInBrowser } from "@/components/ui/use-in-browser";

// Starts to load before any screen. As part of the frame, it would delay every first load.
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

/** Renders its children only in the browser, with the URL as their state. Shows a placeholder before. */
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
