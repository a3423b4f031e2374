import { z } from "zod";
import type { Operation } from "@/lib/api/operation";
import { slug } from "@/lib/resources/name";
import { secretInput, secretList, secretRow } from "@/lib/resources/secret";

const secret = z.object({ name: slug });

/** Secrets: set, named, deleted, never read (4-execution, Auth to the upstream). */
export const SECRET_OPERATIONS: readonly Operation[] = [
  {
    id: "list_secrets",
    method: "get",
    path: "/api/admin/secrets",
    chapter: "secrets",
    summary: "List secrets: who uses them, when they were set and last used",
    who: "configuration:read",
    answers: [{ status: 200, description: "All of them, never a value.", schema: secretList }],
  },
  {
    id: "set_secret",
    method: "put",
    path: "/api/admin/secrets/{name}",
    chapter: "secrets",
    summary: "Set a secret",
    description:
      "It is sent to its `origins` alone, as is a token got with it. Without `value` a known secret keeps what it is.",
    who: "secrets:write",
    params: secret,
    body: secretInput,
    answers: [{ status: 200, description: "What is told of it.", schema: secretRow }],
  },
  {
    id: "delete_secret",
    method: "delete",
    path: "/api/admin/secrets/{name}",
    chapter: "secrets",
    summary: "Delete a secret that no source uses",
    who: "secrets:write",
    params: secret,
    answers: [{ status: 204, description: "Deleted." }],
    errors: ["in_use"],
  },
];
