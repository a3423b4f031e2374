import type { ReactNode } from "react";

/** A key. */
export function Kbd({ children }: { children: ReactNode }) {
  return (
    <kbd className="inline-flex h-4.5 min-w-4.5 items-center justify-center rounded border border-line bg-sunken px-1 font-sans text-2xs text-muted">
      {children}
    </kbd>
  );
}
