import { isObject } from "@/lib/access/model/json";
import type { Json, JsonObject } from "@/lib/access/model/configuration";
import { env } from "@/lib/env";

/**
 * A content block of an MCP server without addresses that an agent must not open (`file:`, `javascript:`, …): a link
 * becomes a text that names it, an embedded resource keeps its content, and icons are left out. RESULT_LINK_SCHEMES
 * lists the schemes that pass.
 */
export function withPlainAddresses(block: JsonObject): JsonObject {
  if (block["type"] === "resource_link") {
    if (!isAllowed(block["uri"]))
      return text(`Link left out, its address has no allowed scheme: ${displayName(block)}`);
    const { icons, ...link } = block;
    if (!Array.isArray(icons)) return link;
    return { ...link, icons: icons.filter((icon: Json) => isAllowed(member(icon, "src"))) };
  }
  if (block["type"] !== "resource" || isAllowed(member(block["resource"], "uri"))) return block;
  const content = member(block["resource"], "text");
  if (typeof content === "string") return text(content);
  return withoutAddress(block["resource"]);
}

/** Binary content whose address is removed: pictures and sounds have separate block types. */
function withoutAddress(resource: Json | undefined): JsonObject {
  const [data, mimeType] = [member(resource, "blob"), member(resource, "mimeType")];
  const [kind] = typeof mimeType === "string" ? mimeType.split("/", 1) : [];
  if (typeof data === "string" && typeof mimeType === "string" && (kind === "image" || kind === "audio"))
    return { type: kind, data, mimeType };
  return text("Resource left out, its address has no allowed scheme.");
}

function isAllowed(address: Json | undefined): boolean {
  const scheme = typeof address === "string" ? /^([a-z][a-z0-9+.-]*):/i.exec(address)?.[1]?.toLowerCase() : undefined;
  return scheme !== undefined && env.RESULT_LINK_SCHEMES.includes(scheme);
}

function displayName({ title, name }: JsonObject): string {
  const shown = typeof title === "string" ? title : name;
  return typeof shown === "string" ? shown.slice(0, 200) : "unnamed";
}

function member(value: Json | undefined, name: string): Json | undefined {
  return isObject(value) ? value[name] : undefined;
}

function text(content: string): JsonObject {
  return { type: "text", text: content };
}
