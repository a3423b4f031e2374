import { crud } from "@/lib/store/config/crud";
import { flag, text } from "@/lib/store/db/filters";

/** Registered OAuth clients in the admin API. */
export const clients = crud({
  resource: "clients",
  search: ["name", "description"],
  sort: { name: "text", enabled: "flag", createdAt: "time", updatedAt: "time" },
  filters: { enabled: flag("enabled"), agent: text("agent") },
});
