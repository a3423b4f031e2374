import { DEFAULT_GROUP } from "@/lib/access/model/configuration";
import { crud } from "@/lib/store/config/crud";
import { element, flag, inGroup, text, word, type Filter } from "@/lib/store/db/filters";
import { Prisma } from "@/lib/store/generated/client";

/** The tools that declare a group. A tool that declares none is in `default` (docs/reference/decision.md#group). */
const declaring: Filter = (name) =>
  name === DEFAULT_GROUP
    ? { OR: [{ groups: { equals: Prisma.DbNull } }, { groups: { array_contains: [name] } }] }
    : inGroup(name);

/** Whether an import guessed the tool's flow and nobody has answered the guess. */
const guessed: Filter = (value) => {
  if (value !== "true" && value !== "false") return "use true or false";
  const none = [{ flowGuess: { equals: Prisma.DbNull } }, { flowGuess: { equals: [] } }];
  return value === "true" ? { flowGuess: { not: Prisma.DbNull }, NOT: { flowGuess: { equals: [] } } } : { OR: none };
};

/** Tools in the admin API. Addresses contain their ids, `source:operation`, URL-encoded. */
export const tools = crud({
  resource: "tools",
  search: ["id", "name", "displayName", "description", "path"],
  sort: {
    id: "text",
    name: "text",
    source: "text",
    status: "text",
    enabled: "flag",
    createdAt: "time",
    updatedAt: "time",
  },
  filters: {
    source: text("source"),
    category: text("category"),
    method: text("method"),
    status: word("status", ["active", "deprecated", "quarantined"]),
    enabled: flag("enabled"),
    tag: element("tags"),
    label: element("labels"),
    capability: element("requiredCapabilities"),
    group: declaring,
    hasSideEffects: flag("hasSideEffects"),
    requiresApproval: flag("requiresApproval"),
    guessed,
    guess: (named) => ({ flowGuess: { array_contains: [{ word: named }] } }),
  },
});
