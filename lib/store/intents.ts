import { crud } from "@/lib/store/crud";
import { jsonElement } from "@/lib/store/filters";

/** Intents in the admin API. */
export const intents = crud({
  resource: "intents",
  search: ["name", "description"],
  sort: { name: "text", createdAt: "time", updatedAt: "time" },
  filters: { group: jsonElement("groups") },
});
