import { canonicalText } from "@/lib/access/model/canonical";
import type { Json } from "@/lib/access/model/configuration";
import type { ToolInput } from "@/lib/resources/tool";

/** The fields of a tool that its source states, first. Everything else is the admin's alone. */
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

/** Of those, the ones that an admin may overrule; an edit survives every sync (docs/reference/execution.md#sync). */
const EDITABLE: ReadonlySet<UpstreamField> = new Set([
  "displayName",
  "description",
  "tags",
  "hasSideEffects",
  "version",
]);

/** What a source may change without a review: a new version of a document says nothing about one operation of it. */
export const UNREVIEWED: ReadonlySet<UpstreamField> = new Set(["version"]);

/** One such field. */
export type UpstreamField = (typeof UPSTREAM_FIELDS)[number];
/** What a source says about a tool. */
export type UpstreamDefinition = Pick<ToolInput, UpstreamField>;

/** The source's part of a tool; an import that was read before a field was kept has none. */
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
  return canonicalText(left as Json) === canonicalText(right as Json);
}

/**
 * A stored tool with what its source says now. A field that an admin edited (it differs from what the
 * source said last) stays, and so does an admin's `allowReserved` of a parameter. Without a record of that, everything
 * editable counts as edited.
 */
export function mergeUpstream(stored: ToolInput, last: UpstreamDefinition | null, now: UpstreamDefinition): ToolInput {
  const taken = UPSTREAM_FIELDS.filter(
    (field) => !EDITABLE.has(field) || (last !== null && isSame(stored[field], last[field] ?? null)),
  );
  const run = withReserved(now.run, stored.run, last?.run ?? null);
  return { ...stored, ...Object.fromEntries(taken.map((field) => [field, now[field]])), run };
}

type Run = ToolInput["run"];

/** What the source says of the request, with `allowReserved` of a parameter as an admin changed it. */
function withReserved(now: Run, stored: Run, last: Run): Run {
  if (now?.kind !== "http" || stored?.kind !== "http") return now;
  const [kept, said] = [reservedOf(stored), reservedOf(last)];
  const parameters = now.parameters.map((parameter) => {
    const key = keyOf(parameter);
    const wanted = kept.get(key);
    const isEdited = wanted !== undefined && wanted !== said.get(key);
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
