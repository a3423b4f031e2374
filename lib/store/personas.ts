import { crud } from "@/lib/store/crud";
import { element } from "@/lib/store/filters";

/** Personas in the admin API. */
export const personas = crud({
  resource: "personas",
  search: ["name", "description"],
  sort: { name: "text", createdAt: "time", updatedAt: "time" },
  filters: { capability: element("capabilities") },
});
