import { cn } from "@/components/ui/cn";
import { Textarea } from "@/components/ui/forms/textarea";
import { useReported } from "@/components/ui/forms/use-reported";
import { useTypedText } from "@/components/ui/forms/use-typed-text";

interface JsonEditorProps {
  value: unknown;
  /** Called with every value that parses; text that does not parse stays here, with its error. */
  onChange: (value: unknown) => void;
  /** Called with the parse error or `null`, so that a form can block its save. */
  onProblem?: ((problem: string | null) => void) | undefined;
  /** An empty text means this; without it, empty is an error. */
  emptyAs?: unknown;
  readOnly?: boolean | undefined;
  rows?: number | undefined;
  className?: string | undefined;
  "aria-label"?: string | undefined;
  placeholder?: string | undefined;
}

/** JSON as text, with the line of the first mistake. */
export function JsonEditor({
  value,
  onChange,
  onProblem,
  emptyAs,
  readOnly = false,
  rows = 6,
  className,
  ...rest
}: JsonEditorProps) {
  const textOf = (one: unknown) => (one === emptyAs ? "" : (JSON.stringify(one, null, 2) ?? ""));
  const shown = textOf(value);
  const [text, keep] = useTypedText(shown);
  const problem = problemOf(text, emptyAs !== undefined);
  useReported(problem, (found) => onProblem?.(found));

  const change = (next: string) => {
    if (problemOf(next, emptyAs !== undefined) !== null) return keep(next, shown);
    const parsed: unknown = next.trim() === "" ? emptyAs : JSON.parse(next);
    keep(next, textOf(parsed));
    onChange(parsed);
  };

  return (
    <div className={cn("flex flex-col gap-1", className)}>
      <Textarea
        {...rest}
        mono
        rows={rows}
        readOnly={readOnly}
        value={text}
        onChange={(event) => change(event.target.value)}
        aria-invalid={problem !== null || undefined}
        className="max-h-112"
      />
      {problem !== null && (
        <p role="alert" className="text-xs text-deny">
          {problem}
        </p>
      )}
    </div>
  );
}

/** `null`, or the parse error with its line if the engine reports the position. */
function problemOf(text: string, emptyAllowed: boolean): string | null {
  if (text.trim() === "") return emptyAllowed ? null : "Enter a JSON value";
  try {
    JSON.parse(text);
    return null;
  } catch (error) {
    const message = error instanceof Error ? error.message : "not valid JSON";
    const position = /position (\d+)/.exec(message)?.[1];
    const line = position === undefined ? text.split("\n").length : text.slice(0, Number(position)).split("\n").length;
    return `Line ${line}: ${message.replace(/ in JSON at position.*$/, "").replace(/ \(line.*$/, "")}`;
  }
}
