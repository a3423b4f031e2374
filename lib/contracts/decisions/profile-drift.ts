import { z } from "zod";
import { jsonObject, toolId } from "@/lib/resources/parts/name";

/** A definition hash: SHA-256, 64 hex digits. */
const hash = z.string().regex(/^[0-9a-f]{64}$/, "state the definition hash that was looked at: 64 hex digits");

/** `GET /api/admin/profiles/{name}/drift`: a page of the tools that wait, in order of id. */
export const driftQuery = z.strictObject({
  limit: z.coerce.number().int().min(1).max(500).default(50),
  /** The `nextCursor` of the page before. */
  cursor: z.string().max(200).optional(),
});

/** `POST /api/admin/profiles/{name}/drift/accept`: each tool with the definition that was looked at. */
export const driftAcceptInput = z.strictObject({
  tools: z
    .array(z.strictObject({ tool: toolId, hash }))
    .min(1, "name at least one tool")
    .max(2_000)
    .refine((tools) => new Set(tools.map(({ tool }) => tool)).size === tools.length, "a tool is named twice"),
});

/** What a tool promises to a model and to a caller: what its hash is over. */
const definition = z.object({
  name: z.string(),
  description: z.string(),
  inputSchema: jsonObject,
  outputSchema: jsonObject.nullable(),
  annotations: jsonObject,
});

/**
 * Why a tool waits: its definition is another than the accepted one; nothing of its source was ever accepted
 * for this profile; or it came to a source that was (an import, or by hand).
 */
export const DRIFT_REASONS = ["changed_definition", "new_source", "new_tool"] as const;

/** A tool that a profile allows and that is held back from it until somebody accepts its definition. */
export const driftRow = z.object({
  tool: z.string(),
  /** Of the present definition: what an acceptance names. */
  hash,
  source: z.string(),
  why: z.enum(DRIFT_REASONS),
  /** When the definition became what it is. */
  since: z.iso.datetime(),
  definition,
  /** The last acceptance, which was of another definition; `definition` is `null` where no history holds it. */
  accepted: z.object({ hash, by: z.string(), at: z.iso.datetime(), definition: definition.nullable() }).nullable(),
});

/** A page of what waits. */
export const driftOutput = z.object({
  profile: z.string(),
  revision: z.int(),
  items: z.array(driftRow),
  nextCursor: z.string().nullable(),
  /** How many wait altogether. */
  total: z.int(),
});

/** What was accepted; tools that were so before are not counted, and make no revision. */
export const driftAccepted = z.object({ profile: z.string(), revision: z.int(), accepted: z.int() });

/** A page's query, parsed. */
export type DriftQuery = z.output<typeof driftQuery>;
/** What is to be accepted. */
export type DriftAcceptInput = z.output<typeof driftAcceptInput>;
/** A tool that waits. */
export type DriftRow = z.output<typeof driftRow>;
/** A page of what waits, on the wire. */
export type DriftOutput = z.output<typeof driftOutput>;
/** What was accepted, on the wire. */
export type DriftAccepted = z.output<typeof driftAccepted>;
