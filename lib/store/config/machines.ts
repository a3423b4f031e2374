import { crud } from "@/lib/store/config/crud";
import { flag } from "@/lib/store/db/filters";

/** State machines in the admin API. */
export const machines = crud({
  resource: "machines",
  search: ["name", "description"],
  sort: { name: "text", createdAt: "time", updatedAt: "time" },
  filters: { openStart: flag("openStart") },
});
