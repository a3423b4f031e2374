import { fieldInWords, rowInWords } from "@/lib/contracts/changes/row-words";
import type { Verdict, VerdictReason } from "@/lib/contracts/changes/verdict";

// Without shapes: pages import this file without the schemas.

/** The verdict in one sentence, with its witness. */
export function verdictInWords({ kind, reasons, more: others = 0 }: Verdict): string {
  const [first] = reasons;
  if (kind === "same") return "What callers see and can call does not change.";
  if (first === undefined)
    // A change that gives more has a reason. It is absent where the reader may not see its row.
    return kind === "narrower"
      ? "No caller sees or can call more than before."
      : "Only administrators can see what this change does.";
  const more = reasons.length - 1 + others;
  return reasonInWords(first) + (more > 0 ? ` And ${more} more.` : "");
}

/** One reason in one sentence, and the number of other tools that callers may gain by it. */
export function reasonInWords(reason: VerdictReason): string {
  const { kind, resource, id, field, witness: who, factor } = reason;
  const row = rowInWords(resource, id);
  const at = field === null ? row : `the field “${fieldInWords(field)}” of ${row}`;
  if (kind === "unknown") return `The effect of ${at} cannot be proven, so a second person must look at it.`;
  if (who === null) return `With this change, ${at} restricts less than before${field === null ? ` (${factor})` : ""}.`;
  const caller = who.name === null ? "A caller with matching claims" : `The ${who.kind} \`${who.name}\``;
  const gain =
    who.gains === "tool"
      ? `would see \`${who.tool}\`, because of ${at}.`
      : `could call \`${who.tool}\` with arguments that are refused now, because of ${at}.`;
  return `${caller} ${gain}${otherTools(reason)}`;
}

/** The witness proves a gain for one of the reason's tools only. */
function otherTools({ tools, more = 0 }: VerdictReason): string {
  const others = tools.length + more - 1;
  if (others <= 0) return "";
  return ` This is one example. The same may hold for ${others.toLocaleString("en")} other ${others === 1 ? "tool" : "tools"}.`;
}
