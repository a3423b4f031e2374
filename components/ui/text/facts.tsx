import type { ReactNode } from "react";
import { Time } from "@/components/ui/time";

/** A label and its value, for detail panels. */
export function Facts({ children }: { children: ReactNode }) {
  return <dl className="grid grid-cols-[minmax(7rem,auto)_1fr] items-baseline gap-x-4 gap-y-2 text-sm">{children}</dl>;
}

export function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <>
      <dt className="text-muted">{label}</dt>
      {/* A button does not make its line taller. An empty value shows a dash. */}
      <dd className="min-w-0 break-words empty:text-faint empty:before:content-['—'] [&>button]:-my-1.5 [&>button]:align-middle">
        {children}
      </dd>
    </>
  );
}

interface TimeFactProps {
  label: string;
  /** ISO 8601; `null` = it has not happened. */
  at: string | null;
  exact?: boolean;
}

export function TimeFact({ label, at, exact = false }: TimeFactProps) {
  return <Fact label={label}>{at === null ? "never" : <Time at={at} exact={exact} />}</Fact>;
}

/** One row of `Facts` with code-like text. */
export function CodeFact({ label, code }: { label: string; code: string }) {
  return (
    <Fact label={label}>
      <code className="font-mono text-xs">{code}</code>
    </Fact>
  );
}
