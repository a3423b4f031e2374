import { OctagonPause } from "lucide-react";
import { useResume, whatOf } from "@/components/pause/change-pauses";
import { Button } from "@/components/ui/button";
import { upperFirst } from "@/components/ui/text/letter-case";
import { Time } from "@/components/ui/time";
import type { PauseRow } from "@/lib/resources/pause";
import { can, type Role } from "@/lib/resources/permissions";

interface PauseListProps {
  pauses: readonly PauseRow[];
  role: Role;
}

/** The pauses, each with a resume button if the role may. */
export function PauseList({ pauses, role }: PauseListProps) {
  const resume = useResume();
  return (
    <ul>
      {pauses.map((pause) => (
        <li
          key={`${pause.scope} ${pause.name}`}
          className="flex items-center gap-x-3 border-b border-on-accent/25 px-5 py-2 last:border-b-0 max-md:px-3"
        >
          <OctagonPause aria-hidden className="size-4 shrink-0" />
          <p className="min-w-0 flex-1 break-words max-sm:line-clamp-2">
            <strong className="font-semibold">{upperFirst(whatOf(pause))} are paused</strong>
            <span className="max-sm:sr-only">
              {" "}
              by {pause.by}, <Time at={pause.since} />
            </span>
            : {pause.reason}
          </p>
          {can(role, "pause:write") && (
            <Button
              size="sm"
              pending={resume.isPending && resume.variables === pause}
              onClick={() => resume.mutate(pause)}
            >
              Resume<span className="sr-only"> {whatOf(pause)}</span>
            </Button>
          )}
        </li>
      ))}
    </ul>
  );
}
