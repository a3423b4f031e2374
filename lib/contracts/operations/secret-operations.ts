import { at, ok, type Contracts } from "@/lib/contracts/operations/operation";
import { listQuery } from "@/lib/contracts/changes/list";
import { nameInPath } from "@/lib/resources/parts/name";
import { secretInput, secretPage, secretRow } from "@/lib/resources/secret";

/** Operations that set, list and delete secrets; none reads a value (docs/reference/execution.md#credentials). */
export const SECRET_OPERATIONS = {
  list_secrets: {
    ...at.get("/api/admin/secrets"),
    summary: "List secrets with their sources and times",
    description: "Filter: `origin`. Orders: `name`, `setAt`.",
    who: "configuration:read",
    query: listQuery,
    answers: [ok("A page without values.", secretPage)],
  },
  read_secret: {
    ...at.get("/api/admin/secrets/{name}"),
    summary: "Read the facts of a secret, never its value",
    who: "configuration:read",
    params: nameInPath,
    answers: [{ status: 200, description: "The secret without its value.", schema: secretRow, etag: true }],
  },
  set_secret: {
    ...at.put("/api/admin/secrets/{name}"),
    summary: "Set a secret",
    description:
      'The secret, and a token obtained with it, is only sent to its `origins`. Without `value`, an existing secret keeps its value. `If-Match: "0"` only creates: a taken name is a 409.',
    who: "secrets:write",
    reviewed: true,
    params: nameInPath,
    headers: ["If-Match?"],
    body: secretInput,
    answers: [{ status: 200, description: "The secret without its value.", schema: secretRow, etag: true }],
    errors: ["conflict"],
  },
  delete_secret: {
    ...at.delete("/api/admin/secrets/{name}"),
    summary: "Delete a secret that no source uses",
    who: "secrets:write",
    params: nameInPath,
    answers: [{ status: 204, description: "Deleted." }],
    errors: ["in_use"],
  },
} as const satisfies Contracts;
