import { z } from "zod";
import { isDeeper } from "@/lib/access/model/depth";
import type { Json } from "@/lib/access/model/configuration";
import { jsonObject } from "@/lib/resources/parts/name";

/** The most that `_meta` and icons of one tool may hold together, in characters of JSON: every list carries them. */
const MAX_CHARACTERS = 16 * 1024;
const MAX_DEPTH = 32;

/** A picture of a tool (MCP 2025-11-25, Icons): fetched by https, or in the address itself. */
export const mcpIcon = z.strictObject({
  src: z.string().regex(/^(https:\/\/|data:image\/)\S+$/, "use an https address or a data: address of an image"),
  mimeType: z.string().max(100).optional(),
  sizes: z.array(z.string().max(20)).max(20).optional(),
  theme: z.enum(["light", "dark"]).optional(),
});

/** What an MCP server says of a tool for programs: passed on at `/mcp` as it came. */
export const mcpExtras = z
  .strictObject({ _meta: jsonObject.optional(), icons: z.array(mcpIcon).min(1).max(8).optional() })
  .refine((extras) => !isDeeper(extras as Json, MAX_DEPTH), `is nested deeper than ${MAX_DEPTH} levels`)
  .refine((extras) => JSON.stringify(extras).length <= MAX_CHARACTERS, `holds more than ${MAX_CHARACTERS} characters`);
