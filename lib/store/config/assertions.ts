import { crud } from "@/lib/store/config/crud";

/** Assertions in the admin API. */
export const assertions = crud({
  resource: "assertions",
  search: ["name", "description"],
  sort: { name: "text", createdAt: "time", updatedAt: "time" },
  filters: {},
});
