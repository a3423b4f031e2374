import type { HTMLAttributes } from "react";
import { VisibleText } from "@/components/ui/visible-text";

interface WithCodeProps extends Omit<HTMLAttributes<HTMLElement>, "children"> {
  text: string;
  /** The element around the sentence. Absent: the sentence alone. */
  as?: "p" | "span" | "li" | undefined;
}

/** Renders a sentence. Text between backticks, such as `finance`, becomes code; hidden characters become visible. */
export function WithCode({ text, as: Element, ...rest }: WithCodeProps) {
  const parts = text.split("`").map((part, index) =>
    index % 2 === 0 ? (
      <VisibleText key={index} text={part} />
    ) : (
      <code
        key={index}
        className="rounded bg-hover wrap-anywhere px-1 py-px font-mono text-[max(0.92em,0.75rem)] text-ink"
      >
        <VisibleText text={part} />
      </code>
    ),
  );
  return Element === undefined ? parts : <Element {...rest}>{parts}</Element>;
}
