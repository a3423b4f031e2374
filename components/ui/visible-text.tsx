import type { ReactNode } from "react";
import { hiddenCharacters } from "@/lib/access/model/hidden-characters";

/** Renders a text without hidden content: invisible and misleading characters appear as their codes. */
export function VisibleText({ text }: { text: string }) {
  const parts: ReactNode[] = [];
  let from = 0;
  for (const { at, length, codePoint, name, kind } of hiddenCharacters(text)) {
    parts.push(text.slice(from, at));
    parts.push(
      <mark
        key={at}
        title={`${codePoint}: ${name}`}
        className="mx-px rounded bg-deny-soft px-1 font-semibold text-deny ring-1 ring-deny ring-inset"
      >
        {kind === "confusable" && text.slice(at, at + length)}
        {codePoint}
        <span className="sr-only"> ({name})</span>
      </mark>,
    );
    from = at + length;
  }
  return (
    <>
      {parts}
      {text.slice(from)}
    </>
  );
}
