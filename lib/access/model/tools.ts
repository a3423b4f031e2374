import { emptyBits, setBit, type Bits } from "@/lib/access/model/bitset";
import type { Configuration, Source, Tool } from "@/lib/access/model/configuration";
import { requiredOf } from "@/lib/access/model/capabilities";
import { inParts, sortedInParts, type Parts } from "@/lib/access/model/parts";
import type { Reason } from "@/lib/access/decide/resolution";
import { byCodeUnit } from "@/lib/access/model/scalars";

/** The catalogue, numbered in output order: the order of bits equals the order of the answer. */
export interface ToolTable {
  readonly all: readonly Tool[];
  readonly numberOf: ReadonlyMap<string, number>;
  /** Tools that share their name with another tool: only these can clash in a list. */
  readonly sharesName: Bits;
  /** By reason of the step `enabled`, in order of precedence, the tools that pass. Reasons that hide no tool are left out. */
  readonly disabled: readonly { readonly reason: Reason; readonly passing: Bits }[];
  /** By tool, the number in `needs` of its set of required capabilities; 0 = no requirement. */
  readonly needOf: Uint32Array;
  readonly needs: readonly (readonly string[])[];
}

/**
 * Numbers the catalogue by name, then id, in code-unit order. A second tool with the same id is an error and is
 * ignored.
 */
export function* compileTools(config: Configuration, errors: string[]): Parts<ToolTable> {
  const numberOf = new Map<string, number>();
  const all: Tool[] = [];
  const ordered = yield* sortedInParts(
    config.tools,
    (left, right) => byCodeUnit(left.name, right.name) || byCodeUnit(left.id, right.id),
  );
  yield* inParts(ordered, (tool) => {
    if (numberOf.has(tool.id)) errors.push(`tool \`${tool.id}\` is stored twice: only one is used`);
    else numberOf.set(tool.id, all.push(tool) - 1);
  });
  const sharesName = emptyBits(all.length);
  yield* inParts(all, ({ name }, n) => {
    if (name === all[n - 1]?.name || name === all[n + 1]?.name) setBit(sharesName, n);
  });
  const disabled = yield* compileDisabled(all, config.sources);
  return { all, numberOf, sharesName, disabled, ...(yield* compileNeeds(all)) };
}

/**
 * Why the step `enabled` hides a tool, in order of precedence (docs/reference/decision.md#explanation). A missing source
 * counts as disabled.
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

function* compileDisabled(all: readonly Tool[], rows: readonly Source[]): Parts<ToolTable["disabled"]> {
  const sources = new Map(rows.map((source) => [source.name, source]));
  const gates = [];
  for (const { reason, drops } of DISABLED) {
    const passing = emptyBits(all.length);
    let dropped = 0;
    yield* inParts(all, (tool, n) => {
      if (drops(tool, sources.get(tool.source))) dropped += 1;
      else setBit(passing, n);
    });
    if (dropped > 0) gates.push({ reason, passing });
  }
  return gates;
}

function* compileNeeds(all: readonly Tool[]): Parts<Pick<ToolTable, "needOf" | "needs">> {
  const needs: (readonly string[])[] = [[]];
  const numbers = new Map<string, number>([["[]", 0]]);
  const needOf = new Uint32Array(all.length);
  yield* inParts(all, (tool, n) => {
    const required = requiredOf(tool.requiredCapabilities);
    const key = JSON.stringify(required);
    const number = numbers.get(key) ?? needs.push(required) - 1;
    numbers.set(key, number);
    needOf[n] = number;
  });
  return { needOf, needs };
}
