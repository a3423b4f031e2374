import { ALL, DEFAULT_GROUP } from "@/lib/access/model/configuration";
import { profileNames } from "@/lib/access/compile/profiles";
import { OTHER_KINDS } from "@/lib/resources/kinds";
import { resources, type ResourceName } from "@/lib/resources/index";

/** The holders of references: the resources and the settings. */
export type Holder = ResourceName | "settings";
/** The targets of references: a resource, a secret, or a profile, which is code. */
export type Target = ResourceName | "secrets" | "profiles";

/** One field of one kind of row that names another row. */
interface Reference {
  /** Path inside the row; `[]` goes through a list. */
  readonly path: string;
  readonly to: Target;
  /** Names that always exist as a target. */
  readonly builtIn?: readonly string[];
  /**
   * Whether an unknown name refuses the save, or is only a warning (the reference has no effect until the target
   * exists).
   */
  readonly unknown: "refused" | "warned";
}

const groups = { to: "groups", builtIn: [ALL, DEFAULT_GROUP], unknown: "refused" } as const;
const declared = { to: "groups", builtIn: [DEFAULT_GROUP], unknown: "refused" } as const;

/**
 * Every reference of the configuration in one table. "Unknown name" on save and "in use" on delete both read it
 * (docs/reference/decision.md; docs/reference/http.md#admin-api).
 */
export const REFERENCES: Readonly<Record<Holder, readonly Reference[]>> = {
  // A document is applied before the secrets that it names are set. Until then calls fail closed.
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

/** One name in a row, with its path inside the row. */
export interface Mention {
  readonly path: string;
  readonly to: Target;
  readonly name: string;
  readonly unknown: Reference["unknown"];
}

/** Every name that a row mentions, without built-in names. Also reads rows that do not parse. */
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

/** The word for a target, in the singular, for sentences. */
export function targetWord(target: Target): string {
  if (target === "profiles") return "profile";
  return target === "secrets" ? OTHER_KINDS.secrets : resources[target].words[0];
}

/** Whether the code defines a profile of this name. */
export function isProfile(name: string): boolean {
  return profileNames.includes(name);
}

/** The texts at a path with their exact places. Other values there (null, a selector) are no names. */
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
