import { crud } from "@/lib/store/config/crud";
import { flag, inGroup, word } from "@/lib/store/db/filters";

/** Access policies in the admin API. */
export const policies = crud({
  resource: "policies",
  search: ["name", "description"],
  sort: { name: "text", priority: "number", effect: "text", active: "flag", createdAt: "time", updatedAt: "time" },
  filters: {
    effect: word("effect", ["allow", "deny"]),
    active: flag("active"),
    everyone: flag("everyone"),
    group: inGroup,
  },
});
