import { lazy, Suspense, type ComponentType, type ReactNode } from "react";

/** A component whose code loads when it is first shown. `fallback` stands in its place until then. */
export function lazyPart<P extends object>(
  load: () => Promise<ComponentType<P>>,
  fallback: ReactNode = null,
): (props: P) => ReactNode {
  const Part: ComponentType<P> = lazy(async () => ({ default: await load() }));
  return function LazyPart(props: P) {
    return (
      <Suspense fallback={fallback}>
        <Part {...props} />
      </Suspense>
    );
  };
}
