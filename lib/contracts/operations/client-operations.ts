import { at, ok, type Contracts } from "@/lib/contracts/operations/operation";
import { registrationPage, registrationQuery } from "@/lib/contracts/people/client-registration";
import { revocationInput, revocationList, revocationRow, revocationTarget } from "@/lib/contracts/people/revocation";
import { tokenTestInput, tokenTestOutput } from "@/lib/contracts/people/token-test";
import { idInPath } from "@/lib/resources/parts/name";

/** Operations on OAuth clients besides their rows, and on our own access tokens (docs/reference/client-sign-in.md). */
export const CLIENT_OPERATIONS = {
  list_client_registrations: {
    ...at.get("/api/admin/client-registrations"),
    summary: "List the clients that registered themselves",
    who: "people:read",
    query: registrationQuery,
    answers: [ok("A page, the newest first.", registrationPage)],
  },
  remove_client_registration: {
    ...at.delete("/api/admin/client-registrations/{id}"),
    summary: "Remove a client that registered itself, and end its connections",
    who: "issuers:write",
    params: idInPath,
    answers: [{ status: 204, description: "Removed. Its tokens stop at once." }],
  },
  test_connection_token: {
    ...at.post("/api/admin/connections/test"),
    summary: "Test an access token of a connection and show each check",
    description: "The checks are those of the agent API. The token is neither stored nor logged.",
    who: "people:read",
    body: tokenTestInput,
    answers: [ok("Every check, and the person, client and agent of the token.", tokenTestOutput)],
  },
  list_connection_revocations: {
    ...at.get("/api/admin/connections/revocations"),
    summary: "List our own revoked access tokens",
    who: "people:read",
    answers: [ok("The revocations that still apply.", revocationList)],
  },
  revoke_connection_token: {
    ...at.post("/api/admin/connections/revocations"),
    summary: "Revoke one access token of a connection by its `jti`",
    who: "issuers:write",
    body: revocationInput,
    answers: [{ status: 201, description: "The revocation.", schema: revocationRow }],
    errors: ["conflict"],
  },
  lift_connection_revocation: {
    ...at.delete("/api/admin/connections/revocations"),
    summary: "Undo the revocation of an access token of a connection",
    who: "issuers:write",
    reviewed: true,
    query: revocationTarget,
    answers: [{ status: 204, description: "Lifted." }],
    errors: ["not_found"],
  },
} as const satisfies Contracts;
