import { crud } from "@/lib/store/config/crud";
import { RULE_MODES } from "@/lib/resources/parts/rule-mode";
import { word } from "@/lib/store/db/filters";

/** Flow rules in the admin API. */
export const flows = crud({
  resource: "flows",
  search: ["name", "description"],
  sort: { name: "text", createdAt: "time", updatedAt: "time" },
  filters: { mode: word("mode", RULE_MODES) },
});
