import { crud } from "@/lib/store/config/crud";
import { word } from "@/lib/store/db/filters";

/** Labels in the admin API. */
export const labels = crud({
  resource: "labels",
  search: ["name", "description"],
  sort: { name: "text", createdAt: "time", updatedAt: "time" },
  filters: { scope: word("scope", ["run", "caller"]) },
});
