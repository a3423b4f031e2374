import { z } from "zod";
import { at, ok, type Contracts } from "@/lib/contracts/operations/operation";
import { listQuery } from "@/lib/contracts/changes/list";
import { linkedAccountPage, linkEnded, linkStarted, linkStatus } from "@/lib/contracts/people/linked-account";
import { nameInPath } from "@/lib/resources/parts/name";

/** Operations on linked accounts; none returns a token (docs/reference/linked-accounts.md). */
export const LINKED_ACCOUNT_OPERATIONS = {
  list_linked_accounts: {
    ...at.get("/api/admin/linked-accounts"),
    summary: "List linked accounts",
    description:
      "Your own; with the permission `people:read`, those of everybody. Filters: `source`, `person` (a name). Orders: `linkedAt`, `source`.",
    who: "configuration:read",
    query: listQuery,
    answers: [ok("A page without tokens.", linkedAccountPage)],
  },
  read_linked_account: {
    ...at.get("/api/admin/linked-accounts/{name}"),
    summary: "Read whether you have linked an account of a source, and where you would sign in",
    who: "configuration:read",
    params: nameInPath,
    answers: [ok("The facts of the connect page.", linkStatus)],
  },
  start_link: {
    ...at.post("/api/admin/linked-accounts/{name}/start"),
    summary: "Begin to link your account of a source",
    description:
      "Answers the address of the upstream's sign-in, which leads the same browser back within ten minutes. Needs a session: a personal access token gets a 409.",
    who: "configuration:read",
    params: nameInPath,
    answers: [ok("Where to sign in.", linkStarted)],
    errors: ["conflict", "upstream_auth_failed"],
  },
  end_link: {
    ...at.delete("/api/admin/linked-accounts/{name}"),
    summary: "End a linked account of a source",
    description:
      "Yours; with `person` (a name) and the permission `people:write`, that of another person. No later call uses it. Quartermaster asks the upstream to revoke its tokens where the upstream offers it.",
    who: "configuration:read",
    params: nameInPath,
    query: z.strictObject({ person: z.string().min(1).max(200).exactOptional() }),
    answers: [ok("Whether the upstream has revoked the tokens.", linkEnded)],
  },
  finish_link: {
    ...at.get("/api/linked-accounts/callback"),
    summary: "Return from an upstream's sign-in",
    description: "For browsers: checks `state`, the session and `iss`, then leads to the page of the source.",
    who: "anyone",
    answers: [{ status: 303, description: "To the page that says how it went." }],
  },
  read_client_document: {
    ...at.get("/api/linked-accounts/clients/{document}"),
    summary: "Read Quartermaster's metadata as an OAuth client",
    description:
      "For authorization servers of upstreams (Client ID Metadata Documents): the address is the client id. `signed` authenticates with `private_key_jwt`, `public` does not authenticate.",
    who: "anyone",
    params: z.object({ document: z.enum(["public", "signed"]) }),
    answers: [{ status: 200, description: "The client's metadata.", types: ["application/json"] }],
  },
} as const satisfies Contracts;
