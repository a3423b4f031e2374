import { isSameJson } from "@/lib/access/model/canonical";
import type { Json } from "@/lib/access/model/configuration";
import { extendGuesses } from "@/lib/sources/import/guess-flow";
import type { ToolInput } from "@/lib/resources/tool";

/** The fields of a tool that its source defines. Only admins change the others. */
export const UPSTREAM_FIELDS = [
  "displayName",
  "description",
  "inputSchema",
  "outputSchema",
  "annotations",
  "mcp",
  "path",
  "method",
  "tags",
  "hasSideEffects",
  "run",
  "upstreamScopes",
  "version",
] as const satisfies readonly (keyof ToolInput)[];

/** The upstream fields that an admin may edit. An edit survives every sync (docs/reference/execution.md#sync). */
const EDITABLE: ReadonlySet<UpstreamField> = new Set([
  "displayName",
  "description",
  "tags",
  "hasSideEffects",
  "version",
]);

/** Fields that a source may change without a review. A document's new version is no change of each operation. */
export const UNREVIEWED: ReadonlySet<UpstreamField> = new Set(["version"]);

/** A field that the source defines. */
export type UpstreamField = (typeof UPSTREAM_FIELDS)[number];
/** A source's definition of a tool. */
export type UpstreamDefinition = Pick<ToolInput, UpstreamField>;
/** A source's definition of a tool when it was last accepted. */
export type AcceptedDefinition = UpstreamDefinition & {
  /** Whether the source no longer had the tool since, so that its deprecation is not a person's. */
  readonly gone?: true;
  /** Whether the revert of a change without review left no tool. Then the source proposes the operation again. */
  readonly reverted?: true;
  /** The requests that accepted or declined it without review, oldest first. Earlier versions noted only the last, as text. */
  readonly bypass?: readonly string[] | string;
};

/** The source's part of a tool. Adds fields that an import of an older version lacks. */
export function toUpstreamDefinition(tool: ToolInput): UpstreamDefinition {
  const stated = Object.fromEntries(UPSTREAM_FIELDS.map((field) => [field, tool[field]])) as UpstreamDefinition;
  return {
    ...stated,
    upstreamScopes: stated.upstreamScopes ?? [],
    version: stated.version ?? null,
    mcp: stated.mcp ?? null,
  };
}

/** Whether two values are the same JSON. */
export function isSame(left: unknown, right: unknown): boolean {
  return isSameJson(left as Json, right as Json);
}

/**
 * Merges the source's present definition into a stored tool. Keeps a field that an admin edited, so that it differs from
 * the last accepted definition, and an edited `allowReserved`. Without `last`, every editable field counts as edited.
 */
export function mergeUpstream(stored: ToolInput, last: UpstreamDefinition | null, now: UpstreamDefinition): ToolInput {
  const taken = UPSTREAM_FIELDS.filter(
    (field) => !EDITABLE.has(field) || (last !== null && isSame(stored[field], last[field] ?? null)),
  );
  const run = withReserved(now.run, stored.run, last?.run ?? null);
  const flowGuess = extendGuesses(stored, now);
  return { ...stored, ...Object.fromEntries(taken.map((field) => [field, now[field]])), run, flowGuess };
}

type Run = ToolInput["run"];

/** The source's request, with the `allowReserved` that an admin changed. */
function withReserved(now: Run, stored: Run, last: Run): Run {
  if (now?.kind !== "http" || stored?.kind !== "http") return now;
  const [edited, upstream] = [reservedOf(stored), reservedOf(last)];
  const parameters = now.parameters.map((parameter) => {
    const key = keyOf(parameter);
    const wanted = edited.get(key);
    const isEdited = wanted !== undefined && wanted !== upstream.get(key);
    if (!isEdited || wanted === (parameter.allowReserved === true)) return parameter;
    const { allowReserved: _, ...rest } = parameter;
    return wanted ? { ...rest, allowReserved: true } : rest;
  });
  return { ...now, parameters };
}

/** Whether each parameter of a request accepts reserved characters. */
export function reservedOf(run: Run): ReadonlyMap<string, boolean> {
  if (run?.kind !== "http") return new Map();
  return new Map(run.parameters.map((parameter) => [keyOf(parameter), parameter.allowReserved === true]));
}

function keyOf({ in: place, name }: { readonly in: string; readonly name: string }): string {
  return `${place} ${name}`;
}
