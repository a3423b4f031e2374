import { GET as resources } from "@/app/api/admin/[resource]/route";
import { GET as approvals } from "@/app/api/admin/approvals/route";
import { GET as audit } from "@/app/api/admin/audit/route";
import { GET as changes } from "@/app/api/admin/changes/route";
import { GET as deliveries } from "@/app/api/admin/deliveries/route";
import { GET as drift } from "@/app/api/admin/drift/route";
import { GET as executions } from "@/app/api/admin/executions/route";
import { GET as linkedAccounts } from "@/app/api/admin/linked-accounts/route";
import { GET as revisions } from "@/app/api/admin/revisions/route";
import { GET as sessions } from "@/app/api/admin/sessions/route";
import type { Handler } from "@/lib/http/route";
import { auditQuery } from "@/lib/contracts/log/audit-trail";
import { changeQuery } from "@/lib/contracts/changes/change";
import { executionQuery } from "@/lib/contracts/log/execution";
import { revisionQuery } from "@/lib/contracts/changes/revision";
import { IN_THE_WORLD } from "@/test/support/worlds/large-world";

/** A list whose rows grow with the catalogue or with the calls, with its filters and orders. */
export interface GrowingList {
  /** Below `/api/admin/`. */
  readonly path: string;
  readonly GET: Handler;
  readonly params: Readonly<Record<string, string>>;
  /** Each filter with a value of the large world. */
  readonly filters: Readonly<Record<string, string>>;
  readonly sorts: readonly string[];
  /** The schema of its query if it names the filters; otherwise the refusal of an unknown filter names them. */
  readonly query?: { readonly shape: Readonly<Record<string, unknown>> };
  /** Filters that use another kind of lookup. */
  readonly besides?: readonly string[];
}

const { source, tool, agent, subject, person, session, traceId, webhook, revision } = IN_THE_WORLD;
const NONE = {};
const FROM = new Date(Date.now() - 24 * 3_600_000).toISOString();

/** Every one of them. */
export const GROWING_LISTS: readonly GrowingList[] = [
  {
    path: "tools",
    GET: resources,
    params: { resource: "tools" },
    filters: {
      source,
      category: "category-3",
      method: "GET",
      status: "quarantined",
      enabled: "true",
      tag: "tag-3",
      label: "label-3",
      capability: "capability-3",
      group: "group-3",
      hasSideEffects: "true",
      requiresApproval: "true",
      guess: "outward",
      guessed: "true",
    },
    sorts: ["id", "name", "source", "status", "enabled", "createdAt", "updatedAt"],
    besides: ["group=default"],
  },
  {
    path: "executions",
    GET: executions,
    params: NONE,
    query: executionQuery,
    filters: {
      from: FROM,
      to: FROM,
      agent,
      subject,
      tool,
      source,
      status: "failed",
      code: "tool_not_available",
      reason: "state_mismatch",
      policy: "policy-3",
      group: "group-3",
      tag: "tag-3",
      sideEffects: "true",
      session,
      parent: "call-6",
      traceId,
      revision,
    },
    sorts: ["at"],
    besides: [
      "status=running",
      "status=awaiting_approval",
      "status=succeeded",
      `q=${encodeURIComponent(tool)}`,
      "q=operation_000003",
      `q=${subject}`,
      `q=${session}`,
    ],
  },
  {
    path: "sessions",
    GET: sessions,
    params: NONE,
    filters: {
      agent,
      issuer: "quartermaster",
      subject,
      state: "investigating",
      escalated: "true",
      mode: "full",
      live: "false",
    },
    sorts: ["lastUsedAt", "createdAt", "expiresAt", "calls"],
  },
  {
    path: "approvals",
    GET: approvals,
    params: NONE,
    filters: { status: "waiting", agent, subject, tool, source, decidedBy: "editor-3" },
    sorts: ["closesAt", "at"],
  },
  {
    path: "audit",
    GET: audit,
    params: NONE,
    query: auditQuery,
    filters: {
      from: FROM,
      to: FROM,
      kind: "refusal",
      action: "executions.exported",
      actor: "auditor-3",
      target: "call-3",
    },
    sorts: ["at"],
    besides: ["kind=event", "kind=change", "q=call-3"],
  },
  {
    path: "changes",
    GET: changes,
    params: NONE,
    query: changeQuery,
    filters: { from: FROM, to: FROM, action: "delete", resource: "policies", id: "row-3", actor: "editor-3", revision },
    sorts: ["at"],
  },
  { path: "revisions", GET: revisions, params: NONE, query: revisionQuery, filters: {}, sorts: [] },
  {
    path: "deliveries",
    GET: deliveries,
    params: NONE,
    filters: { status: "failed", webhook, type: "approval.waiting", call: "call-3" },
    sorts: ["at"],
  },
  {
    path: "drift",
    GET: drift,
    params: NONE,
    filters: { source, kind: "changed", severity: "high", decision: "pending", since: FROM },
    sorts: ["since", "id", "source"],
  },
  {
    path: "linked-accounts",
    GET: linkedAccounts,
    params: NONE,
    filters: { source },
    sorts: ["linkedAt", "source"],
    besides: [`person=${person}`],
  },
];

/** The queries of a list's first page: without filters, with each filter, and in each order in both directions. */
export function questionsOf({ filters, sorts, besides = [] }: GrowingList): string[] {
  return [
    "",
    ...Object.entries(filters).map(([name, value]) => `${name}=${encodeURIComponent(value)}`),
    ...sorts.flatMap((sort) => [`sort=${sort}`, `sort=-${sort}`]),
    ...besides,
  ];
}
