import { crud } from "@/lib/store/crud";
import { flag } from "@/lib/store/filters";

/** State machines in the admin API. */
export const machines = crud({
  resource: "machines",
  search: ["name", "description"],
  sort: { name: "text", createdAt: "time", updatedAt: "time" },
  filters: { openStart: flag("openStart") },
});
