import { CircleAlert } from "lucide-react";
import { useEffect, useRef } from "react";
import { DroppedNote } from "@/components/resource/dropped-note";
import { placeInWords } from "@/components/resource/editor/changes";
import { focusField } from "@/components/ui/forms/focus-field";
import { Problem } from "@/components/resource/request";
import { WayBack } from "@/components/shell/way-back";
import { Button } from "@/components/ui/button";
import { CopyButton } from "@/components/ui/copy-button";
import { EmptyState } from "@/components/ui/empty-state";
import { LinkButton } from "@/components/ui/link-button";
import { WithCode } from "@/components/ui/json/with-code";

interface ProblemNoteProps {
  error: Error;
  onRetry?: (() => void) | undefined;
  /**
   * Whether the page shows nothing else. Then the title is the page's heading, and there is a link to the page above.
   */
  page?: boolean;
  /** The address of the changes of a deleted row. */
  changes?: string;
}

/** Shows a failed request: what happened, the request id to copy, and a button that tries again. */
export function ProblemNote({ error, onRetry, page = false, changes }: ProblemNoteProps) {
  const problem = error instanceof Problem ? error : null;
  const back = page && <WayBack />;
  if (problem?.code === "forbidden")
    return (
      <EmptyState page={page} title="No access" action={back}>
        Your role does not have access. Ask an administrator of this installation. ({problem.message})
      </EmptyState>
    );
  if (problem?.code === "not_found")
    return (
      <EmptyState
        page={page}
        title="Not found"
        action={
          <>
            {back}
            {changes !== undefined && <LinkButton href={changes}>Show history</LinkButton>}
          </>
        }
      >
        <WithCode text={problem.message} /> The address is wrong, or the object was deleted or renamed.
      </EmptyState>
    );
  if (problem?.dropped !== undefined) return <DroppedNote page={page} dropped={problem.dropped} back={back} />;
  return (
    <div role="alert">
      <EmptyState
        page={page}
        icon={<CircleAlert aria-hidden />}
        title="Could not load"
        action={
          <>
            {back}
            {onRetry !== undefined && <Button onClick={onRetry}>Try again</Button>}
            {problem !== null && problem.requestId !== null && (
              <CopyButton text={problem.requestId} label="Copy request id" showLabel />
            )}
          </>
        }
      >
        <WithCode text={error.message} />
        {problem?.errors.map(({ path, message }) => (
          <p key={`${path} ${message}`}>
            {path !== "" && <code className="font-mono text-xs">{path}: </code>}
            <WithCode text={message} />
          </p>
        ))}
      </EmptyState>
    </div>
  );
}

interface ProblemSummaryProps {
  problems: readonly { path: string; message: string }[];
  /** The id of a request that failed for a reason other than the input. */
  requestId?: string | null;
}

/** The problems of an input, above its form. Each message links to its field. */
export function ProblemSummary(props: ProblemSummaryProps) {
  return props.problems.length === 0 ? null : <Problems {...props} />;
}

function Problems({ problems, requestId = null }: ProblemSummaryProps) {
  const box = useRef<HTMLDivElement>(null);
  // It appears above a form that may be scrolled far down, so it scrolls into view.
  useEffect(() => {
    // Newer browsers answer a promise, which is no clean-up.
    void box.current?.scrollIntoView({ block: "center" });
  }, []);
  return (
    <div ref={box} role="alert" className="rounded-lg bg-deny-soft px-3 py-2 text-sm text-deny">
      <p className="flex items-center gap-2 font-medium">
        {requestId !== null
          ? "Not saved. Try again, or send this request id to an administrator:"
          : problems.length === 1
            ? "Correct 1 problem:"
            : `Correct ${problems.length} problems:`}
        {requestId !== null && <CopyButton text={requestId} label="Copy request id" showLabel />}
      </p>
      <ul className="mt-1 list-disc pl-5">
        {problems.slice(0, 12).map(({ path, message }) => (
          <li key={`${path} ${message}`}>
            {path !== "" && (
              <>
                <button
                  type="button"
                  onClick={() => focusField(path)}
                  className="rounded-sm underline underline-offset-2"
                >
                  {placeInWords(path)}
                </button>
                {": "}
              </>
            )}
            <WithCode text={message} />
          </li>
        ))}
      </ul>
    </div>
  );
}
