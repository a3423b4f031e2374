import { crud } from "@/lib/store/config/crud";
import { flag } from "@/lib/store/db/filters";

/** Tool groups in the admin API. */
export const groups = crud({
  resource: "groups",
  search: ["name", "description"],
  sort: { name: "text", active: "flag", createdAt: "time", updatedAt: "time" },
  filters: { active: flag("active") },
});
