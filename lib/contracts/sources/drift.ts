import { z } from "zod";
import { pageOf } from "@/lib/contracts/changes/list";
import { jsonObject, reviewedHash, toolId } from "@/lib/resources/parts/name";
import { DRIFT_KINDS, SEVERITIES } from "@/lib/resources/parts/words";

/** One difference, as a sentence. */
const driftNote = z.object({ severity: z.enum(SEVERITIES), text: z.string() });

/** One tool whose definition at the source differs from the catalogue (docs/reference/execution.md#sync). */
export const driftItem = z.object({
  id: toolId,
  source: z.string(),
  kind: z.enum(DRIFT_KINDS),
  severity: z.enum(SEVERITIES),
  since: z.iso.datetime(),
  notes: z.array(driftNote),
  /** SHA-256 over both definitions. A decision names it, so that it applies to no later definition. */
  hash: reviewedHash,
  /** The person who decided to keep the tool in quarantine; `null` = no decision yet. */
  rejectedBy: z.string().nullable(),
  /** The open change request for this decision, and the person who made it; `null` = none. */
  request: z.object({ id: z.string(), asker: z.string() }).nullable(),
});

/** A tool's definition at its source, with its name in the catalogue. */
const definition = z.object({
  name: z.string(),
  displayName: z.string().nullable(),
  description: z.string(),
  inputSchema: jsonObject,
  outputSchema: jsonObject.nullable(),
  annotations: jsonObject,
  mcp: jsonObject.nullable(),
  method: z.string().nullable(),
  path: z.string().nullable(),
  tags: z.array(z.string()),
  hasSideEffects: z.boolean(),
  run: jsonObject.nullable(),
  upstreamScopes: z.array(z.string()),
  version: z.string().nullable(),
});

/** `GET /api/admin/drift/{id}`: both complete definitions. */
export const driftDetail = driftItem.extend({
  /** The approved definition and its definition hash. `null` for a new tool. */
  pinned: z.object({ definition, hash: z.string() }).nullable(),
  /** The definition that an approval would store, with an admin's edits kept. `null` for a removed tool. */
  proposed: z.object({ definition, hash: z.string() }).nullable(),
});

/** `GET /api/admin/drift`. */
export const driftPage = pageOf(driftItem);

/** `POST /api/admin/drift/{id}/approve` and `reject`: the hash of the reviewed definitions. */
export const driftDecision = z.strictObject({ hash: reviewedHash });

/** `POST /api/admin/drift/approve` and `reject`: decides several drifts, all or none. */
export const driftDecisions = z.strictObject({
  items: z
    .array(z.strictObject({ id: toolId, hash: reviewedHash }))
    .min(1, "name at least one tool")
    .max(1_000)
    .refine((items) => new Set(items.map(({ id }) => id)).size === items.length, "a tool is named twice"),
});

/** The result of decisions: the new revision and the number of decided tools. */
export const driftDecided = z.object({ revision: z.int(), decided: z.int() });

/** One difference between two definitions. */
export type DriftNote = z.output<typeof driftNote>;
/** A tool with a drift. */
export type DriftItem = z.output<typeof driftItem>;
/** A tool with a drift, with both definitions. */
export type DriftDetail = z.output<typeof driftDetail>;
/** One of the two definitions. */
export type DriftDefinition = z.output<typeof definition>;
/** Decisions about several drifts. */
export type DriftDecisions = z.output<typeof driftDecisions>;
/** The result of decisions. */
export type DriftDecided = z.output<typeof driftDecided>;
