import type { ConfigPlan } from "@/lib/contracts/changes/config";
import { isResourceName, KINDS } from "@/lib/resources/kinds";

/** A planned change in words: `+` creates, `~` changes, `−` deletes. */
interface PlanSentence {
  readonly sign: "+" | "~" | "−";
  /** The whole sentence without the names of several rows. */
  readonly text: string;
  /** The names of several rows, and then how many more there are. */
  readonly items: readonly string[];
}

/** One sentence names at most this many rows. */
const MAX_NAMED_ROWS = 12;

/** Describes a plan in sentences, section by section; empty when the plan changes nothing. */
export function planSentences({ sections }: Pick<ConfigPlan, "sections">): PlanSentence[] {
  return Object.entries(sections).flatMap(([section, { created, changed, deleted }]) => {
    const say = (sign: PlanSentence["sign"], verb: string, ids: readonly string[]): PlanSentence[] =>
      ids.length === 0 ? [] : [sentenceOf(sign, verb, section, ids)];
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

function sentenceOf(sign: PlanSentence["sign"], verb: string, section: string, ids: readonly string[]): PlanSentence {
  if (section === "settings") return { sign, text: `${verb} the settings`, items: [] };
  const [one, many] = isResourceName(section) ? KINDS[section].words : [section, section];
  if (ids.length === 1) return { sign, text: `${verb} the ${one} \`${ids[0]}\``, items: [] };
  const named = ids.slice(0, MAX_NAMED_ROWS).map((id) => `\`${id}\``);
  const rest = ids.length - MAX_NAMED_ROWS;
  const items = rest > 0 ? [...named, `and ${rest.toLocaleString("en")} more`] : named;
  return { sign, text: `${verb} ${ids.length.toLocaleString("en")} ${many}:`, items };
}
