import { ALL, DEFAULT_GROUP } from "@/lib/access/model/configuration";
import { profileNames } from "@/lib/access/compile/profiles";
import { OTHER_KINDS } from "@/lib/resources/kinds";
import { resources, type ResourceName } from "@/lib/resources/index";

/** What may hold references: the resources, and the settings. */
export type Holder = ResourceName | "settings";
/** What a reference may name: a resource, a secret, or a profile, which is code. */
export type Target = ResourceName | "secrets" | "profiles";

/** One place of one kind of row that names another row. */
interface Reference {
  /** Path inside the row; `[]` goes through a list. */
  readonly path: string;
  readonly to: Target;
  /** Names that always exist there. */
  readonly builtIn?: readonly string[];
  /** An unknown name is refused on save, or only warned of (it reaches nothing, and may come later). */
  readonly unknown: "refused" | "warned";
}

const groups = { to: "groups", builtIn: [ALL, DEFAULT_GROUP], unknown: "refused" } as const;
const declared = { to: "groups", builtIn: [DEFAULT_GROUP], unknown: "refused" } as const;

/**
 * Every reference of the configuration, in one table: "unknown name" on save and "in use" on delete
 * are both read from it (docs/reference/decision.md; docs/reference/http.md#admin-api).
 */
export const REFERENCES: Readonly<Record<Holder, readonly Reference[]>> = {
  // A document comes before the secrets that it names; until then calls fail closed.
  sources: [{ path: "auth.secret", to: "secrets", unknown: "warned" }],
  tools: [
    { path: "source", to: "sources", unknown: "refused" },
    { path: "groups[]", ...declared },
  ],
  groups: [
    { path: "include[].tool", to: "tools", unknown: "warned" },
    { path: "exclude[].tool", to: "tools", unknown: "warned" },
  ],
  policies: [{ path: "groups[]", ...groups }],
  machines: [{ path: "rules[].tool", to: "tools", unknown: "warned" }],
  personas: [],
  intents: [{ path: "groups[]", ...groups }],
  issuers: [],
  agents: [
    { path: "issuer", to: "issuers", unknown: "refused" },
    { path: "persona", to: "personas", unknown: "refused" },
    { path: "profile", to: "profiles", unknown: "refused" },
    { path: "machine", to: "machines", unknown: "refused" },
  ],
  assertions: [
    { path: "given.persona", to: "personas", unknown: "refused" },
    { path: "given.profile", to: "profiles", unknown: "refused" },
    { path: "given.machine", to: "machines", unknown: "refused" },
    { path: "expect.visible[]", to: "tools", unknown: "warned" },
    { path: "expect.hidden[]", to: "tools", unknown: "warned" },
  ],
  "api-keys": [{ path: "agent", to: "agents", unknown: "refused" }],
  tokens: [],
  users: [],
  webhooks: [],
  settings: [
    { path: "routing.resolutionGroups[]", ...declared, unknown: "warned" },
    { path: "routing.alwaysGroups[]", ...declared, unknown: "warned" },
  ],
};

/** One name found in a row, at its path inside the row. */
export interface Mention {
  readonly path: string;
  readonly to: Target;
  readonly name: string;
  readonly unknown: Reference["unknown"];
}

/** Every name that a row mentions, built-in ones left out. Reads rows that do not parse, too. */
export function mentionsOf(holder: Holder, row: unknown): Mention[] {
  return REFERENCES[holder].flatMap(({ path, to, builtIn = [], unknown }) =>
    valuesAt(row, path)
      .filter(({ value }) => !builtIn.includes(value))
      .map(({ at, value }) => ({ path: at, to, name: value, unknown })),
  );
}

/** The kinds of row that may mention a target. */
export function holdersOf(target: Target): Holder[] {
  return (Object.keys(REFERENCES) as Holder[]).filter((holder) =>
    REFERENCES[holder].some((reference) => reference.to === target),
  );
}

/** What one of them is called, in sentences. */
export function targetWord(target: Target): string {
  if (target === "profiles") return "profile";
  return target === "secrets" ? OTHER_KINDS.secrets : resources[target].words[0];
}

/** Whether a profile of that name exists in code. */
export function isProfile(name: string): boolean {
  return profileNames.includes(name);
}

/** The texts at a path, each with its exact place; anything else there (null, a selector) is no name. */
function valuesAt(root: unknown, path: string): { at: string; value: string }[] {
  const steps = path.split(/\.|(?=\[\])/);
  let found: { at: string; value: unknown }[] = [{ at: "", value: root }];
  for (const step of steps)
    found = found.flatMap(({ at, value }) => {
      if (step === "[]")
        return Array.isArray(value)
          ? value.map((item: unknown, index) => ({ at: `${at}[${index}]`, value: item }))
          : [];
      if (typeof value !== "object" || value === null || !Object.hasOwn(value, step)) return [];
      return [{ at: at === "" ? step : `${at}.${step}`, value: (value as Record<string, unknown>)[step] }];
    });
  return found.flatMap(({ at, value }) => (typeof value === "string" ? [{ at, value }] : []));
}
