import type { Contracts } from "@/lib/contracts/operations/operation";
import { registrationPage, registrationQuery, registrationTarget } from "@/lib/contracts/people/client-registration";

/** Operations on OAuth clients besides their rows, and on our own access tokens (docs/reference/client-sign-in.md). */
export const CLIENT_OPERATIONS = {
  list_client_registrations: {
    method: "get",
    path: "/api/admin/client-registrations",
    chapter: "account",
    summary: "List the clients that registered themselves",
    who: "people:read",
    query: registrationQuery,
    answers: [{ status: 200, description: "A page, the newest first.", schema: registrationPage }],
  },
  remove_client_registration: {
    method: "delete",
    path: "/api/admin/client-registrations/{id}",
    chapter: "account",
    summary: "Remove a client that registered itself, and end its connections",
    who: "issuers:write",
    params: registrationTarget,
    answers: [{ status: 204, description: "Removed. Its tokens stop at once." }],
  },
} as const satisfies Contracts;
