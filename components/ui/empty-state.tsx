import type { ReactNode } from "react";

interface EmptyStateProps {
  title: string;
  children?: ReactNode;
  /** The one thing to do next. */
  action?: ReactNode;
  icon?: ReactNode;
  /** Whether the page shows nothing else. Then the title is the page's heading. */
  page?: boolean;
}

/** Says that there is nothing, why, and what to do. */
export function EmptyState({ title, children, action, icon, page = false }: EmptyStateProps) {
  const Title = page ? "h1" : "p";
  return (
    <div className="flex flex-col items-center justify-center gap-2 px-6 py-14 text-center">
      {icon !== undefined && <div className="text-faint [&_svg]:size-5">{icon}</div>}
      <Title className="text-base font-medium">{title}</Title>
      {children !== undefined && <div className="max-w-md text-sm text-balance text-muted">{children}</div>}
      {action !== undefined && (
        <div data-empty="" className="mt-2 flex flex-wrap justify-center gap-2">
          {action}
        </div>
      )}
    </div>
  );
}
