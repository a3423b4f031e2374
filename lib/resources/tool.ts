import { z } from "zod";
import { idempotencyHeader } from "@/lib/resources/parts/idempotency-header";
import type { Json, JsonObject } from "@/lib/access/model/configuration";
import { REQUEST_ACCESS } from "@/lib/access/model/access-names";
import { isObject } from "@/lib/access/model/json";
import { remoteReference } from "@/lib/manifest/schema/subschemas";
import { toolLimits } from "@/lib/resources/parts/limits";
import { flowGuesses, toolFlow } from "@/lib/resources/parts/flow";
import { mcpExtras } from "@/lib/resources/parts/mcp-extras";
import { NO_FLOW } from "@/lib/resources/parts/no-flow";
import { NO_TOOL_LIMITS } from "@/lib/resources/parts/no-limits";
import {
  description,
  disabledReason,
  dropStaleReason,
  jsonObject,
  meta,
  outputCheck,
  slug,
  toolId,
} from "@/lib/resources/parts/name";
import { runInput } from "@/lib/resources/parts/run";

const words = z.array(z.string().min(1).max(200)).max(200);

const scopes = z.array(z.string().min(1).max(200)).max(50);

/**
 * A self-contained schema: references are never fetched, so a tool whose schema refers elsewhere could not be called.
 */
const toolSchema = jsonObject.superRefine((schema, context) => {
  const reference = remoteReference(schema as JsonObject);
  if (reference !== null)
    context.addIssue({
      code: "custom",
      message: `refers to another document (\`${reference.keyword}\`: ${reference.address.slice(0, 200)}): put what it refers to under \`$defs\``,
    });
});

const annotations = z.strictObject({
  title: z.string().max(200).optional(),
  readOnlyHint: z.boolean().optional(),
  destructiveHint: z.boolean().optional(),
  idempotentHint: z.boolean().optional(),
  openWorldHint: z.boolean().optional(),
});

const fields = {
  id: toolId,
  source: slug,
  operation: z.string().regex(/^[A-Za-z_][A-Za-z0-9_-]{0,63}$/),
  name: z
    .string()
    .regex(
      /^[A-Za-z_][A-Za-z0-9_-]{0,63}$/,
      "use letters, digits, '_' or '-', starting with a letter or '_', at most 64 characters",
    ),
  displayName: z.string().max(200).nullable().default(null),
  description: description.min(1, "say what the tool does: the model reads this"),
  guidance: z.string().max(4000).nullable().default(null),
  category: z.string().max(100).nullable().default(null),
  version: z.string().max(50).nullable().default(null),
  inputSchema: jsonObject,
  outputSchema: jsonObject.nullable().default(null),
  annotations: annotations.default({}),
  path: z.string().max(2048).nullable().default(null),
  method: z.string().max(16).nullable().default(null),
  tags: words.default([]),
  labels: words.default([]),
  /** null = in `default`; [] = in no group. */
  groups: z.array(slug).max(200).nullable().default(null),
  state: z.string().min(1, "name a state, or omit it").max(100).nullable().default(null),
  availableInStates: z.array(z.string().min(1).max(100)).max(200).nullable().default(null),
  requiredCapabilities: z.array(z.string().max(200)).max(100).default([]),
  hasSideEffects: z.boolean().default(false),
  flow: toolFlow.default(NO_FLOW),
  flowGuess: flowGuesses,
  enabled: z.boolean().default(true),
  disabledReason,
  status: z.enum(["active", "deprecated", "quarantined"]).default("active"),
  run: runInput.nullable().default(null),
  limits: toolLimits.default(NO_TOOL_LIMITS),
  requiresApproval: z.boolean().default(false),
  longRunning: z.boolean().default(false),
  /** null = as the source sets it. */
  outputCheck,
  /** Scopes that the caller's token must carry, for any kind of source authentication. */
  requiredScopes: scopes.default([]),
  /**
   * Scopes that the upstream requires for this operation. Required of the caller too when the source exchanges the
   * caller's token.
   */
  upstreamScopes: scopes.default([]),
  /** `null` = as the source sets it. */
  idempotencyHeader,
  /** `_meta` and icons of a tool of an MCP server. */
  mcp: mcpExtras.nullable().default(null),
};

/**
 * A tool as an admin or a document writes it. `id` determines `source` and `operation` (stated values must agree).
 * `name` defaults to the operation.
 */
export const toolInput = z
  .strictObject({
    ...fields,
    inputSchema: toolSchema,
    outputSchema: toolSchema.nullable().default(null),
    source: fields.source.optional(),
    operation: fields.operation.optional(),
    name: fields.name.optional(),
  })
  .overwrite(dropStaleReason)
  .transform((tool, context) => {
    const [source = "", operation = ""] = splitToolId(tool.id);
    for (const [field, stated, derived] of [
      ["source", tool.source, source],
      ["operation", tool.operation, operation],
    ] as const)
      if (stated !== undefined && stated !== derived)
        context.addIssue({
          code: "custom",
          path: [field],
          message: `must be \`${derived}\`, as the id says: it cannot be changed`,
        });
    const name = tool.name ?? operation;
    if (name === REQUEST_ACCESS)
      context.addIssue({
        code: "custom",
        path: ["name"],
        message: `\`${REQUEST_ACCESS}\` is the name of the tool that requests access: choose another name`,
      });
    return { ...tool, source, operation, name };
  });

/** A stored tool. */
export const toolRow = z.object({ ...fields, definitionHash: z.string(), ...meta });

/** An object that the store returns. It holds JSON and nothing else. */
const storedObject = z.custom<z.output<typeof jsonObject>>((value) => isObject(value as Json), "must be an object");

/**
 * A tool as the store returns it. Its schemas are not walked through again: a load of thousands of tools would
 * spend most of its time on copies of them.
 */
export const storedToolRow = toolRow.extend({
  inputSchema: storedObject,
  outputSchema: storedObject.nullable().default(null),
});

/** `[source, operation]` of a tool id. */
function splitToolId(id: string): [string, string] {
  const colon = id.indexOf(":");
  return [id.slice(0, colon), id.slice(colon + 1)];
}

/** A tool, normalised. */
export type ToolInput = z.output<typeof toolInput>;
/** A tool with its revision and definition hash. */
export type ToolRow = z.output<typeof toolRow>;

/** Whether calls of a tool wait for a person, by the tool or by the setting for side effects. Flow rules can ask for more. */
export function toolNeedsApproval(
  { requiresApproval, hasSideEffects }: Pick<ToolRow, "requiresApproval" | "hasSideEffects">,
  sideEffects: boolean,
): boolean {
  return requiresApproval || (hasSideEffects && sideEffects);
}
