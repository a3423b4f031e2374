import { z } from "zod";
import type { Operation } from "@/lib/api/operation";
import { executionPage, profilePage } from "@/lib/api/schemas";
import { assertionRunInput, assertionRunOutput } from "@/lib/resources/assertion-run";
import { executionDetail, executionQuery } from "@/lib/resources/execution";
import { findingQuery, findingsOutput } from "@/lib/resources/finding";
import { groupMatchesInput, groupMatchesOutput } from "@/lib/resources/group-matches";
import { importApplied, importApply, importInput, importJob, importStarted } from "@/lib/resources/import-job";
import { me } from "@/lib/resources/me";
import { slug } from "@/lib/resources/name";
import { passwordChange } from "@/lib/resources/password-change";
import { previewInput, previewOutput } from "@/lib/resources/preview";
import { revocationInput, revocationList, revocationRow, revocationTarget } from "@/lib/resources/revocation";

const issuer = z.object({ name: slug });
const importId = z.object({ id: z.uuid() });

/** What people and automation call, besides the configuration and the uniform operations (3-http, Admin API). */
export const ADMIN_OPERATIONS: readonly Operation[] = [
  {
    id: "preview",
    method: "post",
    path: "/api/admin/preview",
    tag: "preview",
    summary: "Preview which tools a caller has, and why",
    description:
      "A caller is free claims, a persona, an agent, or a logged execution. Through the same resolver as every call; with `config` against a whole document that is not saved.",
    who: "configuration:read",
    body: previewInput,
    answers: [
      { status: 200, description: "Visible and hidden tools, with the trace of every step.", schema: previewOutput },
    ],
    errors: ["not_found"],
  },
  {
    id: "list_findings",
    method: "get",
    path: "/api/admin/findings",
    tag: "preview",
    summary: "List what in the configuration is probably not meant",
    who: "configuration:read",
    query: findingQuery,
    answers: [{ status: 200, description: "A page, with counts by kind.", schema: findingsOutput }],
  },
  {
    id: "run_assertions",
    method: "post",
    path: "/api/admin/assertions/run",
    tag: "preview",
    summary: "Run the stored assertions on the configuration in force",
    who: "configuration:read",
    body: assertionRunInput,
    answers: [
      { status: 200, description: "Which hold, and what is wrong with the others.", schema: assertionRunOutput },
    ],
  },
  {
    id: "match_group",
    method: "post",
    path: "/api/admin/groups/matches",
    tag: "preview",
    summary: "List who would be in a draft of a tool group",
    who: "configuration:read",
    body: groupMatchesInput,
    answers: [
      {
        status: 200,
        description: "Members, with the clause that caught each, and near misses.",
        schema: groupMatchesOutput,
      },
    ],
  },
  {
    id: "start_import",
    method: "post",
    path: "/api/admin/imports",
    tag: "imports",
    summary: "Start to read a source's document",
    who: "configuration:write",
    body: importInput,
    answers: [{ status: 202, description: "Ask for this import until it is `planned`.", schema: importStarted }],
  },
  {
    id: "read_import",
    method: "get",
    path: "/api/admin/imports/{id}",
    tag: "imports",
    summary: "Read how far an import is, and its plan",
    who: "configuration:read",
    params: importId,
    answers: [{ status: 200, description: "The import.", schema: importJob }],
  },
  {
    id: "apply_import",
    method: "post",
    path: "/api/admin/imports/{id}/apply",
    tag: "imports",
    summary: "Apply an import's plan, or some of it",
    who: "configuration:write",
    params: importId,
    body: importApply,
    answers: [{ status: 200, description: "What it did, in one revision.", schema: importApplied }],
    errors: ["conflict"],
  },
  {
    id: "list_executions",
    method: "get",
    path: "/api/admin/executions",
    tag: "log",
    summary: "List calls, newest first",
    who: "executions:read",
    query: executionQuery,
    answers: [{ status: 200, description: "A page without bodies.", schema: executionPage }],
  },
  {
    id: "read_execution",
    method: "get",
    path: "/api/admin/executions/{id}",
    tag: "log",
    summary: "Read one call",
    description: "With its redacted bodies for who has `executions:bodies`; that they were read is written down.",
    who: "executions:read",
    params: z.object({ id: z.string().max(64) }),
    answers: [
      { status: 200, description: "The call, why it was decided so, and its bodies.", schema: executionDetail },
    ],
  },
  {
    id: "list_profiles",
    method: "get",
    path: "/api/admin/profiles",
    tag: "configuration",
    summary: "List the profiles that the code defines",
    who: "configuration:read",
    answers: [{ status: 200, description: "All of them.", schema: profilePage }],
  },
  {
    id: "list_revocations",
    method: "get",
    path: "/api/admin/issuers/{name}/revocations",
    tag: "account",
    summary: "List the issuer's tokens that are not accepted any more",
    who: "configuration:read",
    params: issuer,
    answers: [{ status: 200, description: "The revocations in force.", schema: revocationList }],
  },
  {
    id: "revoke_token",
    method: "post",
    path: "/api/admin/issuers/{name}/revocations",
    tag: "account",
    summary: "Revoke one token by its `jti`",
    who: "issuers:write",
    params: issuer,
    body: revocationInput,
    answers: [{ status: 201, description: "The revocation.", schema: revocationRow }],
    errors: ["conflict"],
  },
  {
    id: "lift_revocation",
    method: "delete",
    path: "/api/admin/issuers/{name}/revocations",
    tag: "account",
    summary: "Accept a revoked token again",
    who: "issuers:write",
    params: issuer,
    query: revocationTarget,
    answers: [{ status: 204, description: "Lifted." }],
  },
  {
    id: "read_me",
    method: "get",
    path: "/api/admin/me",
    tag: "account",
    summary: "Read who is calling, and what this role may do",
    who: "configuration:read",
    answers: [{ status: 200, description: "The person, or the token.", schema: me }],
  },
  {
    id: "change_password",
    method: "put",
    path: "/api/admin/me/password",
    tag: "account",
    summary: "Change one's own password",
    description: "Every session ends; the answer's cookie is a new one. Tokens have no password.",
    who: "configuration:read",
    body: passwordChange,
    answers: [{ status: 204, description: "Changed." }],
    errors: ["conflict", "rate_limited"],
  },
];
