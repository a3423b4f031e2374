import type { JsonObject } from "@/lib/access/model/configuration";
import type { FlowFacts, FlowGuess } from "@/lib/access/model/flow";
import { listFirst } from "@/lib/access/model/lists";
import type { DriftNote } from "@/lib/contracts/sources/drift";
import { SEVERITIES } from "@/lib/resources/parts/words";
import type { ToolInput } from "@/lib/resources/tool";
import { compareSchemas, WHOLE } from "@/lib/sources/drift/compare-schemas";
import { guessFlow } from "@/lib/sources/import/guess-flow";
import { hiddenNotes } from "@/lib/sources/import/hidden-notes";
import { isSame, reservedOf, UPSTREAM_FIELDS, type UpstreamDefinition } from "@/lib/sources/drift/upstream-definition";

type Severity = DriftNote["severity"];
/** A definition with its guesses: those of the stored tool, or those that an approval would store. */
type Assessed = UpstreamDefinition & Pick<FlowFacts, "flowGuess">;

/** Most places that one sentence lists. */
const MAX_NAMED = 4;

/**
 * The notes for a reviewer of a changed definition, most severe first. High: hidden characters, another address, more
 * danger, more scopes, or arguments that become invalid. Medium: other texts, icons or output, more arguments, fewer
 * scopes, or an `allowReserved` that stays. Low: the rest.
 */
export function assessChange(before: Assessed, after: Assessed): DriftNote[] {
  return sorted([
    ...notesOfHidden(after, before),
    ...endpointNotes(before, after),
    ...dangerNotes(before, after),
    ...inputNotes(before.inputSchema as JsonObject, after.inputSchema as JsonObject),
    ...[
      noteIfDifferent(before, after, "description", "medium", "The description, which models read, changed."),
      noteIfDifferent(before, after, "outputSchema", "medium", "The output schema changed."),
      noteIfDifferent(before, after, "mcp", "medium", "The `_meta` or the icons changed."),
      scopeNotes(before, after),
      gainedGuessNotes(before, after),
      noteIfDifferent(before, after, "displayName", "low", "The display name changed."),
      noteIfDifferent(
        before,
        after,
        "tags",
        "low",
        "The tags changed: groups that select by tag may gain or lose the tool.",
      ),
    ].flat(),
  ]);
}

/** The notes for a reviewer of an operation that is not in the catalogue yet. */
export function assessNew(tool: ToolInput): DriftNote[] {
  const effect: DriftNote = tool.hasSideEffects
    ? { severity: "medium", text: "A new operation with side effects." }
    : { severity: "low", text: "A new operation that is marked read-only." };
  return sorted([...notesOfHidden(tool, null), ...reservedNotes(null, tool), effect, ...guessNotes(guessFlow(tool))]);
}

/** The notes for a reviewer of a tool that its source no longer has. */
export const GONE: readonly DriftNote[] = [
  {
    severity: "medium",
    text: "The source no longer has this tool. The tool is deprecated and hidden from every caller.",
  },
];

/** The most severe of the notes. */
export function severityOf(notes: readonly DriftNote[]): Severity {
  return notes.reduce<Severity>((worst, { severity }) => (rank(severity) > rank(worst) ? severity : worst), "low");
}

/** A sentence for each run of hidden characters in a source's definition of a tool. */
export function hiddenSentences(tool: ToolInput): string[] {
  return notesOfHidden(tool, null).map(({ text }) => text);
}

/**
 * Whether a person must review a new operation whatever its source's settings say: it has hidden characters, or a path
 * argument may lead to another address.
 */
export function needsReview(tool: ToolInput): boolean {
  return notesOfHidden(tool, null).length > 0 || reservedNotes(null, tool).length > 0;
}

/** Notes about hidden characters. Leaves out texts that were approved before. */
function notesOfHidden(after: UpstreamDefinition, before: UpstreamDefinition | null): DriftNote[] {
  const known = new Set(before === null ? [] : textsOf(before));
  return hiddenNotes(textsOf(after).filter((text) => !known.has(text)));
}

/** All texts of a definition, including the names of its members. */
function textsOf(definition: UpstreamDefinition): string[] {
  const texts: string[] = [];
  const walk = (value: unknown): void => {
    if (typeof value === "string") texts.push(value);
    else if (Array.isArray(value)) value.forEach(walk);
    else if (typeof value === "object" && value !== null)
      for (const [name, member] of Object.entries(value)) {
        texts.push(name);
        walk(member);
      }
  };
  for (const field of UPSTREAM_FIELDS) walk(definition[field]);
  return texts;
}

function endpointNotes(before: UpstreamDefinition, after: UpstreamDefinition): DriftNote[] {
  if (isSame([before.method, before.path, before.run], [after.method, after.path, after.run])) return [];
  const notes: DriftNote[] = [];
  const moved = (was: string, is: string): void => {
    if (was !== is) notes.push({ severity: "high", text: `Calls go to ${is} instead of ${was}.` });
  };
  moved(`${before.method} ${before.path}`, `${after.method} ${after.path}`);
  // A note about the path is enough, unless the host differs too.
  const [was, is] = [addressOf(before) ?? "nowhere", addressOf(after) ?? "nowhere"];
  if (notes.length === 0 || originOf(was) !== originOf(is)) moved(was, is);
  notes.push(...reservedNotes(before, after));
  if (!isSame(withoutAddress(before), withoutAddress(after)))
    notes.push({ severity: "low", text: "The request carries the arguments in another way." });
  return notes;
}

/** Notes about path parameters that accept `/ ? # %`, because such an argument may lead to another address. */
function reservedNotes(before: UpstreamDefinition | null, after: UpstreamDefinition): DriftNote[] {
  const was = reservedOf(before?.run ?? null);
  return [...reservedOf(after.run)].flatMap(([parameter, accepts]): DriftNote[] => {
    if (!accepts || !parameter.startsWith("path ")) return [];
    if (before === null)
      return [{ severity: "high", text: `\`${parameter}\` has \`allowReserved\`: it accepts \`/ ? # %\`.` }];
    return was.get(parameter) === true
      ? [{ severity: "medium", text: `\`${parameter}\` still has \`allowReserved\`: it accepts \`/ ? # %\`.` }]
      : [{ severity: "high", text: `\`${parameter}\` now has \`allowReserved\`: it accepts \`/ ? # %\`.` }];
  });
}

function addressOf({ run }: UpstreamDefinition): string | null {
  if (run?.kind === "mcp") return `the MCP server's \`${run.tool}\``;
  return run !== null && "url" in run ? run.url : null;
}

function originOf(address: string): string {
  return URL.canParse(address) ? new URL(address).origin : address;
}

/** How a request carries the arguments. */
function withoutAddress({ run }: UpstreamDefinition): object {
  return { ...run, method: null, url: null, tool: null };
}

function dangerNotes(before: UpstreamDefinition, after: UpstreamDefinition): DriftNote[] {
  const { annotations: was } = before;
  const { annotations: is } = after;
  const worse = [
    [after.hasSideEffects && !before.hasSideEffects, "The tool now has side effects."],
    [was.readOnlyHint === true && is.readOnlyHint !== true, "The tool is no longer marked read-only."],
    [is.destructiveHint === true && was.destructiveHint !== true, "The tool is now marked destructive."],
    [is.openWorldHint === true && was.openWorldHint !== true, "The tool now reaches external systems."],
  ] as const;
  const notes = worse.flatMap(([holds, text]): DriftNote[] => (holds ? [{ severity: "high", text }] : []));
  if (notes.length > 0) return notes;
  const same = isSame(was, is) && before.hasSideEffects === after.hasSideEffects;
  return same ? [] : [{ severity: "low", text: "The annotations changed, but show no additional risk." }];
}

function scopeNotes(
  { upstreamScopes: was }: UpstreamDefinition,
  { upstreamScopes: is }: UpstreamDefinition,
): DriftNote[] {
  const [more, less] = [is.filter((scope) => !was.includes(scope)), was.filter((scope) => !is.includes(scope))];
  const notes: DriftNote[] = [];
  if (more.length > 0)
    notes.push({ severity: "high", text: `The tool requires additional scopes: ${listPlaces(more)}.` });
  if (less.length > 0)
    notes.push({ severity: "medium", text: `The tool no longer requires the scopes ${listPlaces(less)}.` });
  return notes;
}

/** The guesses that an approval adds. An approval takes none away. */
function gainedGuessNotes({ flowGuess: before }: Assessed, { flowGuess: after }: Assessed): DriftNote[] {
  const known = new Set((before ?? []).map(guessWords));
  return guessNotes((after ?? []).filter((guess) => !known.has(guessWords(guess))));
}

function guessNotes(guesses: readonly FlowGuess[]): DriftNote[] {
  if (guesses.length === 0) return [];
  const words = guesses.map(guessWords).join(", ");
  return [{ severity: "low", text: `An approval adds guessed labels and classes, which flow rules use: ${words}.` }];
}

function guessWords({ kind, word }: FlowGuess): string {
  return kind === "raises" ? `raises \`${word}\`` : `class \`${word}\``;
}

function inputNotes(before: JsonObject, after: JsonObject): DriftNote[] {
  if (isSame(before, after)) return [];
  const { added, widened, narrowed, worded } = compareSchemas(before, after);
  const notes: DriftNote[] = [];
  if (narrowed.length > 0)
    notes.push({ severity: "high", text: `Arguments that were valid may now be refused: ${listPlaces(narrowed)}.` });
  if (added.length > 0)
    notes.push({ severity: "medium", text: `The tool accepts more arguments: ${listPlaces(added)}.` });
  if (widened.length > 0)
    notes.push({ severity: "medium", text: `Arguments accept more than before: ${listPlaces(widened)}.` });
  if (worded.length > 0)
    notes.push({ severity: "medium", text: `The descriptions of arguments changed: ${listPlaces(worded)}.` });
  return notes;
}

function noteIfDifferent(
  before: UpstreamDefinition,
  after: UpstreamDefinition,
  field: keyof UpstreamDefinition,
  severity: Severity,
  text: string,
): DriftNote[] {
  return isSame(before[field], after[field]) ? [] : [{ severity, text }];
}

function listPlaces(places: readonly string[]): string {
  return listFirst(places, MAX_NAMED, (place) => (place === WHOLE ? "the arguments as a whole" : `\`${place}\``));
}

function sorted(notes: readonly DriftNote[]): DriftNote[] {
  return notes.toSorted((left, right) => rank(right.severity) - rank(left.severity));
}

function rank(severity: Severity): number {
  return SEVERITIES.indexOf(severity);
}
