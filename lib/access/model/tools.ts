import { bitsWhere, type Bits } from "@/lib/access/model/bitset";
import type { Configuration, Source, Tool } from "@/lib/access/model/configuration";
import { requiredOf } from "@/lib/access/model/capabilities";
import type { Reason } from "@/lib/access/decide/resolution";
import { byCodeUnit } from "@/lib/access/model/scalars";

/** The catalogue, numbered in output order: the order of bits equals the order of the answer. */
export interface ToolTable {
  readonly all: readonly Tool[];
  readonly numberOf: ReadonlyMap<string, number>;
  /** Tools that share their name with another tool: only these can clash in a list. */
  readonly sharesName: Bits;
  /** The tools that pass step 3, per reason, in the order of the reasons. Reasons that remove no tool are left out. */
  readonly disabled: readonly { readonly reason: Reason; readonly passing: Bits }[];
  /** By tool, the number of its set of required capabilities; 0 = no requirement. */
  readonly needOf: Uint32Array;
  readonly needs: readonly (readonly string[])[];
}

/**
 * Numbers the catalogue by name, then id, in code-unit order. A second tool with the same id is an error and is
 * ignored.
 */
export function compileTools(config: Configuration, errors: string[]): ToolTable {
  const numberOf = new Map<string, number>();
  const all: Tool[] = [];
  const ordered = config.tools.toSorted(
    (left, right) => byCodeUnit(left.name, right.name) || byCodeUnit(left.id, right.id),
  );
  for (const tool of ordered) {
    if (numberOf.has(tool.id)) errors.push(`tool \`${tool.id}\` is stored twice: only one counts`);
    else numberOf.set(tool.id, all.push(tool) - 1);
  }
  const sources = new Map(config.sources.map((source) => [source.name, source]));
  const nameOf = (number: number): string | undefined => all[number]?.name;
  return {
    all,
    numberOf,
    sharesName: bitsWhere(all.length, (n) => nameOf(n) === nameOf(n - 1) || nameOf(n) === nameOf(n + 1)),
    disabled: compileDisabled(all, sources),
    ...compileNeeds(all),
  };
}

/**
 * Why step 3 removes a tool, in order of precedence (docs/reference/decision.md#explanation). A missing source counts
 * as disabled.
 */
const DISABLED: readonly {
  readonly reason: Reason;
  readonly drops: (tool: Tool, source: Source | undefined) => boolean;
}[] = [
  { reason: "tool_quarantined", drops: (tool) => tool.status === "quarantined" },
  { reason: "tool_deprecated", drops: (tool) => tool.status === "deprecated" },
  { reason: "source_disabled", drops: (_tool, source) => source?.enabled !== true },
  { reason: "tool_disabled", drops: (tool) => !tool.enabled },
];

function compileDisabled(all: readonly Tool[], sources: ReadonlyMap<string, Source>): ToolTable["disabled"] {
  const gates = [];
  for (const { reason, drops } of DISABLED) {
    const passes = all.map((tool) => !drops(tool, sources.get(tool.source)));
    if (passes.includes(false)) gates.push({ reason, passing: bitsWhere(all.length, (n) => passes[n] === true) });
  }
  return gates;
}

function compileNeeds(all: readonly Tool[]): Pick<ToolTable, "needOf" | "needs"> {
  const needs: (readonly string[])[] = [[]];
  const numbers = new Map<string, number>([["[]", 0]]);
  const needOf = Uint32Array.from(all, (tool) => {
    const required = requiredOf(tool.requiredCapabilities);
    const key = JSON.stringify(required);
    const known = numbers.get(key);
    if (known !== undefined) return known;
    numbers.set(key, needs.length);
    return needs.push(required) - 1;
  });
  return { needOf, needs };
}
