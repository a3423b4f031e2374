import { VisibleText } from "@/components/ui/visible-text";

/** A sentence in which what stands between backticks is a name: `finance` reads as code. Nothing in it hides. */
export function WithCode({ text }: { text: string }) {
  return text.split("`").map((part, index) =>
    index % 2 === 0 ? (
      <VisibleText key={index} text={part} />
    ) : (
      <code key={index} className="rounded bg-hover px-1 py-px font-mono text-[0.92em] text-ink">
        <VisibleText text={part} />
      </code>
    ),
  );
}
