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
  "/admin/overview": of("Calls, refusals, failures and durations.", "overview"),
  "/admin/preview": of("Which tools a caller gets, and why others are hidden.", "preview-as-agent"),
  "/admin/executions": audited("Every call of every agent, with its decision.", "executions"),
  "/admin/approvals": audited("Calls that wait for a person.", "approvals"),
  "/admin/denials": audited("Refusals by kind, with the change that would allow them.", "refusals"),
  "/admin/sessions": audited("Runs of agents, and the state each is in.", "sessions"),
  "/admin/audit": audited("Who signed in, read, exported, changed or was refused.", "audit-trail"),
  "/admin/findings": of("Probable mistakes in the present rules.", "findings"),
  "/admin/policies": of("Which callers get which groups of tools.", "access-policies"),
  "/admin/groups": of("Named sets of tools, for policies to grant.", "tool-groups"),
  "/admin/machines": of("Which tools are available in each state of a run.", "state-machines"),
  "/admin/personas": of("Sets of capabilities with sample claims.", "personas"),
  "/admin/profiles": of("Ceilings in code for parts of an agent's process.", "profiles"),
  "/admin/intents": of("Intents narrow the tools of a request.", "intent-routing"),
  "/admin/assertions": of("Tests of who must see which tools, run before every save.", "assertions"),
  "/admin/tools": of("Everything that can be called, from all sources.", "tools"),
  "/admin/sources": of("Where tools come from.", "sources"),
  "/admin/drift": of("Tools whose definition changed at the source.", "drift-review"),
  "/admin/agents": of("Agents and their API keys.", "agents--keys"),
  "/admin/issuers": of("Whose tokens are accepted from agents.", "issuers"),
  "/admin/secrets": of("What sources authenticate with.", "secrets"),
  "/admin/webhooks": of("Systems that receive events.", "webhooks"),
  "/admin/users": of("Who signs in, and what they may do.", "users"),
  "/admin/tokens": of("Credentials for automation. Each has a role.", "users"),
  "/admin/changes": audited("Who changed what, before and after.", "changes"),
  "/admin/configuration": of("All rules as one document, and all its revisions.", "configuration"),
  "/admin/settings": of("Sessions, approvals, caches, and what the log keeps.", "general-settings"),
} as const satisfies Readonly<Record<`/admin/${string}`, Purpose>>;

/** The address of a page that has a purpose. */
export type DescribedPage = keyof typeof PURPOSES;
