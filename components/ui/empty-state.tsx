import type { ReactNode } from "react";
import { cn } from "@/components/ui/cn";

interface EmptyStateProps {
  title: string;
  children?: ReactNode;
  /** The one thing to do next. */
  action?: ReactNode;
  icon?: ReactNode;
  className?: string | undefined;
}

/** Nothing here, why, and what to do about it. */
export function EmptyState({ title, children, action, icon, className }: EmptyStateProps) {
  return (
    <div className={cn("flex flex-col items-center justify-center gap-2 px-6 py-14 text-center", className)}>
      {icon !== undefined && <div className="text-faint [&_svg]:size-5">{icon}</div>}
      <p className="text-base font-medium">{title}</p>
      {children !== undefined && <div className="max-w-md text-sm text-pretty text-muted">{children}</div>}
      {action !== undefined && <div className="mt-2 flex gap-2">{action}</div>}
    </div>
  );
}
