import { z } from "zod";
import { isDeeper } from "@/lib/access/model/json";
import type { Json } from "@/lib/access/model/configuration";
import { jsonObject } from "@/lib/resources/parts/name";

/** The largest `_meta` and icons of one tool together, in characters of JSON: every list carries them. */
const MAX_CHARACTERS = 16 * 1024;
const MAX_DEPTH = 32;

/** An icon of a tool (MCP 2025-11-25, Icons): an https address or a data URL. */
export const mcpIcon = z.strictObject({
  src: z.string().regex(/^(https:\/\/|data:image\/)\S+$/, "use an https address or a data: address of an image"),
  mimeType: z.string().max(100).optional(),
  sizes: z.array(z.string().max(20)).max(20).optional(),
  theme: z.enum(["light", "dark"]).optional(),
});

/** An MCP server's facts about a tool that programs read. `/mcp` passes them on unchanged. */
export const mcpExtras = z
  .strictObject({ _meta: jsonObject.optional(), icons: z.array(mcpIcon).min(1).max(8).optional() })
  .refine((extras) => !isDeeper(extras as Json, MAX_DEPTH), `is nested deeper than ${MAX_DEPTH} levels`)
  .refine((extras) => JSON.stringify(extras).length <= MAX_CHARACTERS, `holds more than ${MAX_CHARACTERS} characters`);
