import { guideHref } from "@/components/docs/guides";

/** The purpose of a page, and the address of its guide. */
interface Purpose {
  readonly text: string;
  readonly guide: string;
}

const inAdminGuide = (text: string, anchor: string): Purpose => ({ text, guide: guideHref("admin", anchor) });
const inAuditorGuide = (text: string, anchor: string): Purpose => ({ text, guide: guideHref("auditor", anchor) });

/** Every page of the navigation, by its address. */
export const PURPOSES = {
  "/admin/overview": inAdminGuide("What to do first, and how calls go.", "overview"),
  "/admin/preview": inAdminGuide("Which tools a caller gets, and why others are hidden.", "preview-as-agent"),
  "/admin/executions": inAuditorGuide("Every call of every agent, with its decision.", "executions"),
  "/admin/approvals": inAuditorGuide("Calls, access requests and changes that wait for an answer.", "approvals"),
  "/admin/denials": inAuditorGuide("Refused calls by cause. Open one to see what would allow it.", "refusals"),
  "/admin/sessions": inAuditorGuide("Sessions of agents, each with its current state.", "sessions"),
  "/admin/audit": inAuditorGuide("Who signed in, read, exported, changed or was refused.", "audit-trail"),
  "/admin/findings": inAdminGuide("Probable mistakes in the current rules.", "findings"),
  "/admin/policies": inAdminGuide("Which callers get which groups of tools.", "access-policies"),
  "/admin/rightsizing": inAdminGuide("Tools that policies grant and nobody uses.", "rightsizing"),
  "/admin/groups": inAdminGuide("Named sets of tools, for policies to grant.", "tool-groups"),
  "/admin/machines": inAdminGuide("Which tools are available in each state of a run.", "state-machines"),
  "/admin/personas": inAdminGuide("Example callers, for previews and for the impact of changes.", "personas"),
  "/admin/profiles": inAdminGuide(
    "Which tools a part of an agent, such as a subagent, may use. Defined in code.",
    "profiles",
  ),
  "/admin/intents": inAdminGuide("How intents narrow the tools of a request.", "intent-routing"),
  "/admin/flows": inAdminGuide("Which tools a caller loses after it reads certain data.", "flow-rules"),
  "/admin/trifecta": inAdminGuide(
    "Which callers can read private data and untrusted text, and then send data out.",
    "trifecta",
  ),
  "/admin/labels": inAdminGuide("What a session or a caller has read, for flow rules to check.", "flow-labels"),
  "/admin/assertions": inAdminGuide("Tests of the rules: which callers must see which tools.", "assertions"),
  "/admin/tools": inAdminGuide("All tools from all sources.", "tools"),
  "/admin/sources": inAdminGuide("Where tools come from.", "sources"),
  "/admin/drift": inAdminGuide("Tools that changed at their source and need a decision.", "drift-review"),
  "/admin/flow-guesses": inAdminGuide(
    "What imports guessed about tools, for you to confirm or replace.",
    "flow-guesses",
  ),
  "/admin/agents": inAdminGuide("Agents and their API keys.", "agents--keys"),
  "/admin/connections": inAdminGuide("MCP clients that act for you as an agent.", "client-connections"),
  "/admin/clients": inAdminGuide(
    "MCP clients that you register by hand. Most identify themselves and need no entry.",
    "oauth-clients",
  ),
  "/admin/issuers": inAdminGuide("Token issuers that Quartermaster accepts for agents.", "issuers"),
  "/admin/secrets": inAdminGuide("Credentials that sources send to upstreams.", "secrets"),
  "/admin/linked-accounts": inAdminGuide("Your own sign-ins at sources that require them.", "linked-accounts"),
  "/admin/webhooks": inAdminGuide(
    "Messages to other systems when a call waits, a source changes or an alarm is raised.",
    "webhooks",
  ),
  "/admin/users": inAdminGuide("Who can sign in, and with which role.", "users"),
  "/admin/tokens": inAdminGuide("Credentials of programs that use the admin API. Each has a role.", "users"),
  "/admin/changes": inAuditorGuide("Who changed what, before and after.", "changes"),
  "/admin/configuration": inAdminGuide("All rules as one document, and all its revisions.", "configuration"),
  "/admin/settings": inAdminGuide("Sessions, approvals, caches, and what the log keeps.", "general-settings"),
} as const satisfies Readonly<Record<`/admin/${string}`, Purpose>>;

/** The address of a page that has a purpose. */
export type DescribedPage = keyof typeof PURPOSES;
