import { guideHref } from "@/components/docs/guides";

/** The purpose of a page, and the address of its guide. */
interface Purpose {
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
  "/admin/approvals": audited("Calls, access requests and changes that wait for an answer.", "approvals"),
  "/admin/denials": audited("Refused calls by cause, with the change that would allow them.", "refusals"),
  "/admin/sessions": audited("Sessions of agents, each with its current state.", "sessions"),
  "/admin/audit": audited("Who signed in, read, exported, changed or was refused.", "audit-trail"),
  "/admin/findings": of("Probable mistakes in the current rules.", "findings"),
  "/admin/policies": of("Which callers get which groups of tools.", "access-policies"),
  "/admin/rightsizing": of("Tools that policies grant and nobody uses.", "rightsizing"),
  "/admin/groups": of("Named sets of tools, for policies to grant.", "tool-groups"),
  "/admin/machines": of("Which tools are available in each state of a run.", "state-machines"),
  "/admin/personas": of("Sets of capabilities with sample claims.", "personas"),
  "/admin/profiles": of("Limits, defined in code, for roles inside an agent process.", "profiles"),
  "/admin/intents": of("How intents narrow the tools of a request.", "intent-routing"),
  "/admin/flows": of("Which tools a caller loses after it reads certain data.", "flow-rules"),
  "/admin/trifecta": of("Which callers can read private data and untrusted text, and then send data out.", "trifecta"),
  "/admin/labels": of("What a session or a caller has read, for flow rules to check.", "labels"),
  "/admin/assertions": of("Tests of the rules: which callers must see which tools.", "assertions"),
  "/admin/tools": of("All tools from all sources.", "tools"),
  "/admin/sources": of("Where tools come from.", "sources"),
  "/admin/drift": of("Tools that changed at their source and need a decision.", "drift-review"),
  "/admin/flow-guesses": of("What imports guessed about tools, for you to confirm or replace.", "flow-guesses"),
  "/admin/agents": of("Agents and their API keys.", "agents--keys"),
  "/admin/connections": of("MCP clients that act for you as an agent.", "connections"),
  "/admin/clients": of("OAuth clients without a client document.", "clients"),
  "/admin/issuers": of("Token issuers that Quartermaster accepts for agents.", "issuers"),
  "/admin/secrets": of("Credentials that sources send to upstreams.", "secrets"),
  "/admin/linked-accounts": of("Your own sign-ins at sources that require them.", "linked-accounts"),
  "/admin/webhooks": of("Systems that receive events.", "webhooks"),
  "/admin/users": of("Who can sign in, and with which role.", "users"),
  "/admin/tokens": of("Credentials for automation. Each has a role.", "users"),
  "/admin/changes": audited("Who changed what, before and after.", "changes"),
  "/admin/configuration": of("All rules as one document, and all its revisions.", "configuration"),
  "/admin/settings": of("Sessions, approvals, caches, and what the log keeps.", "general-settings"),
} as const satisfies Readonly<Record<`/admin/${string}`, Purpose>>;

/** The address of a page that has a purpose. */
export type DescribedPage = keyof typeof PURPOSES;
