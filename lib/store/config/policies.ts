import { crud } from "@/lib/store/config/crud";
import { EFFECTS } from "@/lib/resources/policy";
import { RULE_MODES } from "@/lib/resources/parts/rule-mode";
import { flag, inGroup, word } from "@/lib/store/db/filters";

/** Access policies in the admin API. */
export const policies = crud({
  resource: "policies",
  search: ["name", "description"],
  sort: { name: "text", priority: "number", effect: "text", active: "flag", createdAt: "time", updatedAt: "time" },
  filters: {
    effect: word("effect", EFFECTS),
    active: flag("active"),
    mode: word("mode", RULE_MODES),
    everyone: flag("everyone"),
    group: inGroup,
  },
});
