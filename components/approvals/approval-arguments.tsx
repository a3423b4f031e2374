import { Badge } from "@/components/ui/badge";
import { Json } from "@/components/ui/json/json";
import { VisibleText } from "@/components/ui/visible-text";
import type { ApprovalDetail } from "@/lib/contracts/log/approval";

/** The arguments of a call that waits or was answered, as far as the person's role may read them. */
export function ApprovalArguments({ approval }: { approval: ApprovalDetail }) {
  if (approval.argumentsHidden)
    return (
      <p className="text-sm text-muted">
        {approval.status === "waiting"
          ? "Only people who may approve the call, and auditors, can see the arguments."
          : "The call was answered. Only administrators and auditors can now see the arguments."}
      </p>
    );
  return (
    <>
      {approval.sensitive.length > 0 && <Sensitive paths={approval.sensitive} />}
      <Json value={approval.arguments} label="arguments" />
    </>
  );
}

/** Which of the shown arguments are masked everywhere else. */
function Sensitive({ paths }: { paths: readonly string[] }) {
  return (
    <p role="note" className="mb-2 flex flex-wrap items-center gap-1.5 text-sm">
      <Badge tone="warn">sensitive</Badge>
      {paths.map((path) => (
        <code key={path} className="font-mono text-xs">
          <VisibleText text={path === "" ? "all" : path} />
        </code>
      ))}
      <span className="text-muted">
        You see these values because you may answer this call. The log masks them. The audit trail records that you
        viewed them.
      </span>
    </p>
  );
}
