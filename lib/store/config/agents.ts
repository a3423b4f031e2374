import { crud } from "@/lib/store/config/crud";
import { flag, text } from "@/lib/store/db/filters";

/** Registered agents in the admin API. */
export const agents = crud({
  resource: "agents",
  search: ["name", "description", "subject"],
  sort: { name: "text", enabled: "flag", createdAt: "time", updatedAt: "time" },
  filters: {
    enabled: flag("enabled"),
    issuer: text("issuer"),
    persona: text("persona"),
    profile: text("profile"),
    machine: text("machine"),
  },
});
