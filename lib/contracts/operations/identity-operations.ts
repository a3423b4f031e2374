import { at, ok, type Contracts } from "@/lib/contracts/operations/operation";
import { apiKeyCreated, apiKeyRotation } from "@/lib/resources/api-key";
import { connectionPage, connectionQuery, connectionTarget } from "@/lib/contracts/people/connection";
import { connectionRequestAnswer, connectionRequestAnswered } from "@/lib/contracts/people/connection-request";
import { listQuery } from "@/lib/contracts/changes/list";
import { me } from "@/lib/contracts/people/me";
import { idInPath, nameInPath } from "@/lib/resources/parts/name";
import { passwordChange, passwordReset } from "@/lib/contracts/people/password-change";
import { profilePage, profileQuery } from "@/lib/resources/profile";
import {
  profileDriftAcceptance,
  profileDriftAccepted,
  profileDriftPage,
  profileDriftQuery,
} from "@/lib/contracts/decisions/profile-drift";
import { revocationInput, revocationList, revocationRow, revocationTarget } from "@/lib/contracts/people/revocation";
import { savedViewInput, savedViewRow, viewPage } from "@/lib/resources/saved-view";
import { tokenTestInput, tokenTestOutput } from "@/lib/contracts/people/token-test";

const storedView = { status: 200, description: "The view.", schema: savedViewRow, etag: true } as const;

/**
 * Operations on credentials besides their rows, on profiles, and on the signed-in person's data
 * (docs/reference/http.md#authentication).
 */
export const IDENTITY_OPERATIONS = {
  list_revocations: {
    ...at.get("/api/admin/issuers/{name}/revocations"),
    chapter: "issuers",
    summary: "List the revoked tokens of an issuer",
    who: "configuration:read",
    params: nameInPath,
    answers: [ok("The revocations that still apply.", revocationList)],
  },
  revoke_token: {
    ...at.post("/api/admin/issuers/{name}/revocations"),
    chapter: "issuers",
    summary: "Revoke one token by its `jti`",
    who: "issuers:write",
    params: nameInPath,
    body: revocationInput,
    answers: [{ status: 201, description: "The revocation.", schema: revocationRow }],
    errors: ["conflict"],
  },
  lift_revocation: {
    ...at.delete("/api/admin/issuers/{name}/revocations"),
    chapter: "issuers",
    summary: "Undo the revocation of a token",
    who: "issuers:write",
    reviewed: true,
    params: nameInPath,
    query: revocationTarget,
    answers: [{ status: 204, description: "Lifted." }],
  },
  test_token: {
    ...at.post("/api/admin/issuers/{name}/test"),
    chapter: "issuers",
    summary: "Test a token and show each check",
    description: "The checks are those of the agent API. The token is neither stored nor logged.",
    who: "configuration:read",
    params: nameInPath,
    body: tokenTestInput,
    answers: [ok("Every check, and the claims and grants of the token.", tokenTestOutput)],
  },
  rotate_api_key: {
    ...at.post("/api/admin/api-keys/{name}/rotate"),
    chapter: "api-keys",
    summary: "Rotate an agent's key; the old key works until the overlap ends",
    who: "keys:write",
    params: nameInPath,
    body: apiKeyRotation,
    answers: [
      { status: 201, description: "The row with its new key, which is shown only once.", schema: apiKeyCreated },
    ],
    errors: ["conflict"],
  },
  end_overlap: {
    ...at.delete("/api/admin/api-keys/{name}/rotate"),
    chapter: "api-keys",
    summary: "End a rotation's overlap, so that the old key stops working",
    who: "keys:write",
    params: nameInPath,
    answers: [{ status: 204, description: "The old key no longer works." }],
    errors: ["conflict"],
  },
  list_profiles: {
    ...at.get("/api/admin/profiles"),
    chapter: "profiles",
    summary: "List the profiles that the code defines",
    who: "configuration:read",
    query: profileQuery,
    answers: [ok("A page.", profilePage)],
  },
  list_profile_drift: {
    ...at.get("/api/admin/profiles/{name}/drift"),
    chapter: "profiles",
    summary: "List the tools that need acceptance for a profile",
    who: "configuration:read",
    params: nameInPath,
    query: profileDriftQuery,
    answers: [ok("A page.", profileDriftPage)],
  },
  accept_profile_drift: {
    ...at.post("/api/admin/profiles/{name}/drift/accept"),
    chapter: "profiles",
    summary: "Accept tool definitions for a profile",
    who: "profile-drift:accept",
    reviewed: true,
    params: nameInPath,
    body: profileDriftAcceptance,
    answers: [ok("The number of accepted definitions.", profileDriftAccepted)],
    errors: ["conflict", "stale"],
  },
  read_me: {
    ...at.get("/api/admin/me"),
    summary: "Read the caller's account and permissions",
    who: "configuration:read",
    answers: [ok("The person, or the token.", me)],
  },
  change_password: {
    ...at.put("/api/admin/me/password"),
    summary: "Change the caller's own password",
    description: "Ends every session of the person; the answer sets a new cookie. Tokens have no password.",
    who: "configuration:read",
    body: passwordChange,
    answers: [{ status: 204, description: "Changed." }],
    errors: ["conflict", "rate_limited"],
  },
  reset_password: {
    ...at.post("/api/admin/users/{name}/password"),
    chapter: "users",
    summary: "Give another person a new password",
    description:
      "Ends every session of the person. People of an OpenID provider have no password. Refused while changes are reviewed.",
    who: "people:write",
    params: nameInPath,
    answers: [{ status: 201, description: "The password, which is shown only once.", schema: passwordReset }],
    errors: ["conflict"],
  },
  answer_connection_request: {
    ...at.post("/api/admin/connection-requests/{id}"),
    summary: "Connect a client that asks for it, or decline",
    description:
      "Only for the browser in which the request began: its cookie must equal the id. Personal access tokens are refused.",
    who: "connections:write",
    params: idInPath,
    body: connectionRequestAnswer,
    answers: [ok("Where the browser continues.", connectionRequestAnswered)],
  },
  list_connections: {
    ...at.get("/api/admin/connections"),
    summary: "List the clients that act for the caller, or for everyone",
    who: "configuration:read",
    query: connectionQuery,
    answers: [ok("A page, the newest first.", connectionPage)],
  },
  end_connection: {
    ...at.delete("/api/admin/connections/{id}"),
    summary: "End a connection and every token of it",
    description: "One's own connection; with `people:write`, anybody's.",
    who: "connections:write",
    params: connectionTarget,
    answers: [{ status: 204, description: "Ended." }],
  },
  list_views: {
    ...at.get("/api/admin/views"),
    summary: "List the caller's saved views and the shared ones",
    who: "configuration:read",
    query: listQuery,
    answers: [ok("A page.", viewPage)],
  },
  create_view: {
    ...at.post("/api/admin/views"),
    summary: "Save a view of a list",
    who: "configuration:read",
    body: savedViewInput,
    answers: [{ ...storedView, status: 201 }],
    errors: ["conflict"],
  },
  read_view: {
    ...at.get("/api/admin/views/{id}"),
    summary: "Read a saved view",
    who: "configuration:read",
    params: idInPath,
    answers: [storedView],
  },
  replace_view: {
    ...at.put("/api/admin/views/{id}"),
    summary: "Replace one of the caller's saved views",
    who: "configuration:read",
    params: idInPath,
    headers: ["If-Match"],
    body: savedViewInput,
    answers: [storedView],
    errors: ["conflict"],
  },
  delete_view: {
    ...at.delete("/api/admin/views/{id}"),
    summary: "Delete a saved view",
    who: "configuration:read",
    params: idInPath,
    headers: ["If-Match?"],
    answers: [{ status: 204, description: "Deleted." }],
  },
} as const satisfies Contracts;
