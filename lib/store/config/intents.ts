import { crud } from "@/lib/store/config/crud";
import { inGroup } from "@/lib/store/db/filters";

/** Intents in the admin API. */
export const intents = crud({
  resource: "intents",
  search: ["name", "description"],
  sort: { name: "text", createdAt: "time", updatedAt: "time" },
  filters: { group: inGroup },
});
