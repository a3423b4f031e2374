import { z } from "zod";
import { jsonObject, reviewedHash, toolId } from "@/lib/resources/parts/name";

/** `GET /api/admin/profiles/{name}/drift`: a page of the tools that need acceptance, in order of id. */
export const profileDriftQuery = z.strictObject({
  limit: z.coerce.number().int().min(1).max(500).default(50),
  /** The `nextCursor` of the previous page. */
  cursor: z.string().max(200).optional(),
});

/** `POST /api/admin/profiles/{name}/drift/accept`: each tool with the reviewed definition. */
export const profileDriftAcceptance = z.strictObject({
  tools: z
    .array(z.strictObject({ tool: toolId, hash: reviewedHash }))
    .min(1, "name at least one tool")
    .max(2_000)
    .refine((tools) => new Set(tools.map(({ tool }) => tool)).size === tools.length, "a tool is named twice"),
});

/** The parts of a tool that its definition hash covers. */
const definition = z.object({
  name: z.string(),
  description: z.string(),
  inputSchema: jsonObject,
  outputSchema: jsonObject.nullable(),
  annotations: jsonObject,
});

/**
 * Why a tool needs acceptance: its definition differs from the accepted one, its source was never accepted for this
 * profile, or the tool is new in an accepted source (by import or by hand).
 */
const DRIFT_REASONS = ["changed_definition", "new_source", "new_tool"] as const;

/** A tool that a profile allows but withholds until a person accepts its definition. */
export const profileDriftRow = z.object({
  tool: z.string(),
  /** The hash of the present definition, which an acceptance must name. */
  hash: reviewedHash,
  source: z.string(),
  why: z.enum(DRIFT_REASONS),
  /** When the present definition was stored. */
  since: z.iso.datetime(),
  definition,
  /** The last acceptance, of another definition; `definition` is `null` when no history holds it. */
  accepted: z
    .object({ hash: reviewedHash, by: z.string(), at: z.iso.datetime(), definition: definition.nullable() })
    .nullable(),
});

/** A page of the tools that need acceptance. */
export const profileDriftPage = z.object({
  profile: z.string(),
  revision: z.int(),
  items: z.array(profileDriftRow),
  nextCursor: z.string().nullable(),
  /** The number of all such tools. */
  total: z.int(),
});

/** The result of an acceptance. Tools that were accepted before are not counted and create no revision. */
export const profileDriftAccepted = z.object({ profile: z.string(), revision: z.int(), accepted: z.int() });

/** A page's query, parsed. */
export type ProfileDriftQuery = z.output<typeof profileDriftQuery>;
/** The tools to accept. */
export type ProfileDriftAcceptance = z.output<typeof profileDriftAcceptance>;
/** A tool that needs acceptance. */
export type ProfileDriftRow = z.output<typeof profileDriftRow>;
/** A page of such tools in API form. */
export type ProfileDriftPage = z.output<typeof profileDriftPage>;
/** The result of an acceptance in API form. */
export type ProfileDriftAccepted = z.output<typeof profileDriftAccepted>;
