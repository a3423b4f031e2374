import { crud } from "@/lib/store/config/crud";
import { flag, word } from "@/lib/store/db/filters";

/** Sources in the admin API. */
export const sources = crud({
  resource: "sources",
  search: ["name", "displayName", "description", "url"],
  sort: { name: "text", kind: "text", enabled: "flag", createdAt: "time", updatedAt: "time" },
  filters: { kind: word("kind", ["builtin", "openapi", "mcp", "http", "script"]), enabled: flag("enabled") },
});
