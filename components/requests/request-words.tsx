import { Badge, type Tone } from "@/components/ui/badge";
import { upperFirst } from "@/components/ui/text/letter-case";
import type { AccessDetail } from "@/lib/contracts/changes/access";
import type { RequestRow } from "@/lib/contracts/changes/request";
import { HIDDEN_TARGET, rowInWords } from "@/lib/contracts/changes/row-words";

const TONES: Readonly<Record<RequestRow["status"], Tone>> = {
  open: "accent",
  applied: "allow",
  refused: "deny",
  withdrawn: "neutral",
  expired: "warn",
  outdated: "warn",
  bypassed: "warn",
  reverted: "neutral",
};

/** The status of a request. Access is granted until it ends, a change is applied. */
export function RequestBadge({ of: { kind, status, ended } }: { of: Pick<RequestRow, "kind" | "status" | "ended"> }) {
  if (ended) return <Badge>ended</Badge>;
  return <Badge tone={TONES[status]}>{kind === "access" && status === "applied" ? "granted" : status}</Badge>;
}

type Subject = Pick<RequestRow, "facts" | "target" | "status">;

/** What a request is about, as a heading. */
export function subjectOf(request: Subject): string {
  const subject = subjectInText(request);
  return request.facts.kind === "access" ? subject : upperFirst(subject);
}

/** What a request is about, within a sentence. A granted request does not name its hours: the answer may give fewer. */
export function subjectInText({ facts, target, status }: Subject): string {
  if (facts.kind === "access") return status === "applied" ? facts.tool : `${facts.tool} for ${facts.hours} h`;
  const [first] = facts.rows;
  const row = first === undefined ? hiddenOr(target) : rowInWords(first.resource, first.id);
  return facts.count > 1 ? `${row} and ${facts.count - 1} more` : row;
}

/** The target, unless the API hides it from this person's role. */
function hiddenOr(target: string): string {
  return target === HIDDEN_TARGET ? "a change that only administrators see" : target;
}

/** Who answers an open access request. The reference lets only administrators answer requests of an agent that they made. */
export function accessAnswerInWords({ mayAnswer, own }: Pick<AccessDetail, "mayAnswer" | "own">): string {
  if (own === "caller") return "You, or a client that you connected, made this request. Another person must answer it.";
  if (own === "agent")
    return mayAnswer
      ? "You created this agent or one of its keys. You may answer its request because you are an administrator."
      : "You created this agent or one of its keys. Another person must answer its request.";
  return mayAnswer
    ? "This caller waits for your answer."
    : "An approver of the request policy must answer this request.";
}
