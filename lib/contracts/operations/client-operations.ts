import type { Contracts } from "@/lib/contracts/operations/operation";
import { registrationPage, registrationQuery } from "@/lib/contracts/people/client-registration";
import { revocationInput, revocationList, revocationRow, revocationTarget } from "@/lib/contracts/people/revocation";
import { tokenTestInput, tokenTestOutput } from "@/lib/contracts/people/token-test";
import { idInPath } from "@/lib/resources/parts/name";

/** Operations on OAuth clients besides their rows, and on our own access tokens (docs/reference/client-sign-in.md). */
export const CLIENT_OPERATIONS = {
  list_client_registrations: {
    method: "get",
    path: "/api/admin/client-registrations",
    summary: "List the clients that registered themselves",
    who: "people:read",
    query: registrationQuery,
    answers: [{ status: 200, description: "A page, the newest first.", schema: registrationPage }],
  },
  remove_client_registration: {
    method: "delete",
    path: "/api/admin/client-registrations/{id}",
    summary: "Remove a client that registered itself, and end its connections",
    who: "issuers:write",
    params: idInPath,
    answers: [{ status: 204, description: "Removed. Its tokens stop at once." }],
  },
  test_connection_token: {
    method: "post",
    path: "/api/admin/connections/test",
    summary: "Test an access token of a connection and show each check",
    description: "The checks are those of the agent API. The token is neither stored nor logged.",
    who: "people:read",
    body: tokenTestInput,
    answers: [
      {
        status: 200,
        description: "Every check, and the person, client and agent of the token.",
        schema: tokenTestOutput,
      },
    ],
  },
  list_connection_revocations: {
    method: "get",
    path: "/api/admin/connections/revocations",
    summary: "List our own revoked access tokens",
    who: "people:read",
    answers: [{ status: 200, description: "The revocations that still apply.", schema: revocationList }],
  },
  revoke_connection_token: {
    method: "post",
    path: "/api/admin/connections/revocations",
    summary: "Revoke one access token of a connection by its `jti`",
    who: "issuers:write",
    body: revocationInput,
    answers: [{ status: 201, description: "The revocation.", schema: revocationRow }],
    errors: ["conflict"],
  },
  lift_connection_revocation: {
    method: "delete",
    path: "/api/admin/connections/revocations",
    summary: "Undo the revocation of an access token of a connection",
    who: "issuers:write",
    reviewed: true,
    query: revocationTarget,
    answers: [{ status: 204, description: "Lifted." }],
    errors: ["not_found"],
  },
} as const satisfies Contracts;
