import { SOURCE_KIND_NAMES } from "@/lib/resources/source-kinds";
import { crud } from "@/lib/store/config/crud";
import { flag, word } from "@/lib/store/db/filters";

/** Sources in the admin API. */
export const sources = crud({
  resource: "sources",
  search: ["name", "displayName", "description", "url"],
  sort: { name: "text", kind: "text", enabled: "flag", createdAt: "time", updatedAt: "time" },
  filters: { kind: word("kind", SOURCE_KIND_NAMES), enabled: flag("enabled") },
});
