import type { ReactNode } from "react";
import { cn } from "@/components/ui/cn";
import { CopyButton } from "@/components/ui/copy-button";
import { VisibleText } from "@/components/ui/visible-text";

interface JsonProps {
  value: unknown;
  /** The label of the copy button, also for screen readers: "Copy input schema". */
  label: string;
  /** The placeholder of removed content, which is marked as one. */
  mask?: string | undefined;
  className?: string | undefined;
}

const TOKEN = /("(?:[^"\\]|\\.)*")(\s*:)?|\b(?:true|false|null)\b|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

/** JSON to read: indented, coloured, with a copy button. Shows hidden characters. */
export function Json({ value, label, mask, className }: JsonProps) {
  const text = JSON.stringify(value, null, 2) ?? "undefined";
  return (
    <div className={cn("group relative min-w-0 rounded-md border border-line bg-sunken", className)}>
      <CopyButton text={text} label={`Copy ${label}`} className="absolute top-1 right-1 bg-sunken" />
      {/* A region that scrolls must be reachable by keyboard. */}
      <pre
        tabIndex={0}
        role="region"
        aria-label={label}
        className="max-h-128 overflow-auto p-3 pr-10 font-mono text-xs leading-5 break-words whitespace-pre-wrap"
      >
        {coloured(text, mask)}
      </pre>
    </div>
  );
}

function coloured(text: string, mask: string | undefined): ReactNode[] {
  // Colouring a longer text would be too slow.
  if (text.length > 60_000) return [<VisibleText key="whole" text={text} />];
  const parts: ReactNode[] = [];
  let end = 0;
  for (const match of text.matchAll(TOKEN)) {
    if (match.index > end) parts.push(text.slice(end, match.index));
    const [token, string, colon] = match;
    const masked = mask !== undefined && colon === undefined && token.includes(mask);
    const style = colon !== undefined ? "text-ink" : string !== undefined ? "text-allow" : "text-accent";
    parts.push(
      masked ? (
        <mark key={match.index} title="Masked before it was stored" className="rounded bg-warn-soft text-warn">
          <VisibleText text={token} />
        </mark>
      ) : (
        <span key={match.index} className={style}>
          <VisibleText text={token} />
        </span>
      ),
    );
    end = match.index + token.length;
  }
  parts.push(text.slice(end));
  return parts;
}
