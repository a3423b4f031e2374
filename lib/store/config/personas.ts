import { crud } from "@/lib/store/config/crud";
import { element } from "@/lib/store/db/filters";

/** Personas in the admin API. */
export const personas = crud({
  resource: "personas",
  search: ["name", "description"],
  sort: { name: "text", createdAt: "time", updatedAt: "time" },
  filters: { capability: element("capabilities") },
});
