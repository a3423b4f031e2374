import type { ReactNode } from "react";
import { CopyMenu } from "@/components/resource/copy-menu";
import { CopyButton } from "@/components/ui/copy-button";
import { cn } from "@/components/ui/cn";

interface ObjectHeadingProps {
  title: ReactNode;
  /** The title is a name or an id, not words. */
  mono?: boolean;
  badges?: ReactNode;
  /** A text to copy and what it is: "call id". */
  copy?: { readonly text: string; readonly what: string };
  /** The address below `/api/admin` and `/admin`. */
  path: string;
  /** The answer of the API. */
  value: object;
  /** More actions. */
  children?: ReactNode;
}

/** The heading of a page about one object that is not edited as a row: its name and its actions. */
export function ObjectHeading({ title, mono = false, badges, copy, path, value, children }: ObjectHeadingProps) {
  return (
    <div className="flex flex-wrap items-center gap-2">
      <h1
        className={cn(
          "min-w-0 font-semibold max-sm:break-words sm:truncate",
          mono ? "font-mono text-base" : "text-lg tracking-tight",
        )}
      >
        {title}
      </h1>
      {badges}
      <div className="flex flex-wrap items-center gap-1 sm:ml-auto">
        {copy !== undefined && <CopyButton text={copy.text} label={`Copy ${copy.what}`} />}
        <CopyMenu path={`/api/admin/${path}`} href={`/admin/${path}`} value={value} />
        {children}
      </div>
    </div>
  );
}
