import { guideHref } from "@/components/docs/guides";

/** The purpose of a page, and the address of its guide. */
export interface Purpose {
  readonly says: string;
  readonly guide: string;
}

const of = (says: string, anchor: string): Purpose => ({ says, guide: guideHref("admin", anchor) });
const audited = (says: string, anchor: string): Purpose => ({ says, guide: guideHref("auditor", anchor) });

/** Every page of the navigation, by its address. */
export const PURPOSES = {
  "/admin/overview": of("What went through, what was refused, and how long it took.", "overview"),
  "/admin/preview": of("Which tools a caller gets, and why not the rest.", "preview-as-agent"),
  "/admin/executions": audited("Every call of every agent, with its decision.", "executions"),
  "/admin/approvals": audited("Calls that wait for a person.", "approvals"),
  "/admin/denials": audited("Refusals of one kind together, and what would allow them.", "refusals"),
  "/admin/sessions": audited("Runs of agents, and the state each is in.", "sessions"),
  "/admin/audit": audited("Who signed in, read, exported, changed or was refused.", "audit-trail"),
  "/admin/findings": of("What is wrong with the rules as they stand.", "findings"),
  "/admin/policies": of("Which callers get which groups of tools.", "access-policies"),
  "/admin/groups": of("Named sets of tools, for policies to grant.", "tool-groups"),
  "/admin/machines": of("Which tools there are in which state of a run.", "state-machines"),
  "/admin/personas": of("Sets of capabilities, with claims to try things with.", "personas"),
  "/admin/profiles": of("Ceilings in code for parts of an agent's process.", "profiles"),
  "/admin/intents": of("Intents narrow the tools of a request.", "intent-routing"),
  "/admin/assertions": of("Who must see what: tested before every save.", "assertions"),
  "/admin/tools": of("Everything that can be called, from all sources.", "tools"),
  "/admin/sources": of("Where tools come from.", "sources"),
  "/admin/drift": of("Tools whose source describes them otherwise than before.", "drift-review"),
  "/admin/agents": of("Who calls, and the keys they call with.", "agents--keys"),
  "/admin/issuers": of("Whose tokens are accepted from agents.", "issuers"),
  "/admin/secrets": of("What sources authenticate with.", "secrets"),
  "/admin/webhooks": of("Other systems that are told of events.", "webhooks"),
  "/admin/users": of("Who signs in, and what they may do.", "users"),
  "/admin/tokens": of("Credentials for automation, with a role each.", "users"),
  "/admin/changes": audited("Who changed what, before and after.", "changes"),
  "/admin/configuration": of("All rules as one document, and all its revisions.", "configuration"),
  "/admin/settings": of("Sessions, approvals, caches, and what the log keeps.", "general-settings"),
} as const satisfies Readonly<Record<`/admin/${string}`, Purpose>>;

/** The address of a page that has a purpose. */
export type DescribedPage = keyof typeof PURPOSES;
