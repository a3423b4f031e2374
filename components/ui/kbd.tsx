import type { ReactNode } from "react";

/** A key; hidden on a phone, which has no keyboard. */
export function Kbd({ children }: { children: ReactNode }) {
  return (
    <kbd className="inline-flex h-4.5 max-sm:hidden min-w-4.5 items-center justify-center rounded border border-line bg-sunken px-1 font-sans text-xs text-muted">
      {children}
    </kbd>
  );
}
