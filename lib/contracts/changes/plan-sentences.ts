import type { ConfigPlan } from "@/lib/contracts/changes/config";
import { isResourceName, KINDS } from "@/lib/resources/kinds";

/** One planned change in words: `+` creates, `~` changes, `−` deletes. */
interface PlanSentence {
  readonly sign: "+" | "~" | "−";
  readonly text: string;
}

/** One sentence names at most this many rows. */
const MAX_NAMED_ROWS = 12;

/** Describes a plan in sentences, section by section; empty when the plan changes nothing. */
export function planSentences({ sections }: Pick<ConfigPlan, "sections">): PlanSentence[] {
  return Object.entries(sections).flatMap(([section, { created, changed, deleted }]) => {
    const say = (sign: PlanSentence["sign"], verb: string, ids: readonly string[]): PlanSentence[] =>
      ids.length === 0 ? [] : [{ sign, text: `${verb} ${objectOf(section, ids)}` }];
    return [
      ...say("+", "creates", created),
      ...say("~", "changes", section === "settings" ? changed.slice(0, 1) : changed),
      ...say("−", "deletes", deleted),
    ];
  });
}

/** Describes the totals of a plan in one sentence. */
export function planTotals({ created, changed, deleted, unchanged }: ConfigPlan): string {
  if (created + changed + deleted === 0) return `Nothing to change: all ${unchanged} rows already match the document.`;
  return `${created} to create, ${changed} to change, ${deleted} to delete, ${unchanged} unchanged.`;
}

function objectOf(section: string, ids: readonly string[]): string {
  if (section === "settings") return "the settings";
  const [one, many] = isResourceName(section) ? KINDS[section].words : [section, section];
  const named = ids.slice(0, MAX_NAMED_ROWS).map((id) => `\`${id}\``);
  const more = ids.length > MAX_NAMED_ROWS ? ` and ${ids.length - MAX_NAMED_ROWS} more` : "";
  return ids.length === 1 ? `the ${one} ${named[0]}` : `${ids.length} ${many}: ${named.join(", ")}${more}`;
}
