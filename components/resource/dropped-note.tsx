import { Archive } from "lucide-react";
import type { ReactNode } from "react";
import { useCan } from "@/components/resource/who";
import { CopyButton } from "@/components/ui/copy-button";
import { EmptyState } from "@/components/ui/empty-state";
import { LinkButton } from "@/components/ui/link-button";
import { Time } from "@/components/ui/time";
import type { DroppedCall } from "@/lib/contracts/log/retention";

interface DroppedNoteProps {
  dropped: DroppedCall;
  /** Whether the page shows nothing else. */
  page: boolean;
  /** A link to the page above, for a page that shows nothing else. */
  back: ReactNode;
}

/** A call whose month was dropped: when, by whom, and the command that reads it from the archive. */
export function DroppedNote({ dropped: { month, archive, at, by, command }, page, back }: DroppedNoteProps) {
  const mayVerify = useCan("executions:verify");
  return (
    <EmptyState
      page={page}
      icon={<Archive aria-hidden />}
      title={`The log of ${month} was archived and dropped`}
      action={
        <>
          {back}
          <CopyButton text={command} label="Copy the command" showLabel />
          {mayVerify && (
            <LinkButton size="sm" href="/admin/executions/verify#months">
              Months of the log
            </LinkButton>
          )}
        </>
      }
    >
      <p>
        The call began in this month. The month was dropped <Time at={at} /> by {by}; its seals stay. The archive{" "}
        <span className="font-mono text-xs break-all text-ink">{archive}</span> contains the rows. This command reads
        the call from the archive and verifies it:
      </p>
      <pre className="mt-3 rounded-md border border-line bg-sunken p-3 text-left font-mono text-xs whitespace-pre-wrap break-all text-ink">
        {command}
      </pre>
    </EmptyState>
  );
}
