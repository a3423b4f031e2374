import { z } from "zod";
import type { Contracts } from "@/lib/contracts/operations/operation";
import {
  importApplied,
  importApply,
  importApplying,
  importCallers,
  importCallersInput,
  importInput,
  importJob,
  importStarted,
} from "@/lib/contracts/sources/import-job";
import { mcpCommands } from "@/lib/contracts/sources/mcp-commands";

const importId = z.object({ id: z.uuid() });

/** Operations that read a source's tools and import them (docs/reference/http.md#admin-api). */
export const IMPORT_OPERATIONS = {
  list_mcp_commands: {
    method: "get",
    path: "/api/admin/mcp-commands",
    chapter: "imports",
    summary: "List the commands that MCP sources may start on this machine",
    who: "configuration:read",
    answers: [{ status: 200, description: "As the operator wrote them.", schema: mcpCommands }],
  },
  start_import: {
    method: "post",
    path: "/api/admin/imports",
    chapter: "imports",
    summary: "Start to read a source's document",
    who: "configuration:write",
    body: importInput,
    bodyTypes: ["application/json"],
    answers: [{ status: 202, description: "Ask for this import until it is `planned`.", schema: importStarted }],
  },
  read_import: {
    method: "get",
    path: "/api/admin/imports/{id}",
    chapter: "imports",
    summary: "Read how far an import is, and its plan",
    who: "configuration:read",
    params: importId,
    answers: [{ status: 200, description: "The import.", schema: importJob }],
  },
  follow_import: {
    method: "get",
    path: "/api/admin/imports/{id}/events",
    chapter: "imports",
    summary: "Follow an import until it is read, or applied",
    description:
      "Server-sent events: `progress` whenever it is further, `heartbeat` while it is quiet, then `result` with the import; or `closed` with `code` and `message` when how far it is cannot be told: it goes on meanwhile, follow it again.",
    who: "configuration:read",
    params: importId,
    answers: [{ status: 200, description: "The events.", types: ["text/event-stream"] }],
  },
  list_import_callers: {
    method: "post",
    path: "/api/admin/imports/{id}/callers",
    chapter: "imports",
    summary: "List who would see an import's new tools",
    description:
      "Personas, agents and recent callers that would see new tools of the import if `operations` were added with `groups`. Nothing changes.",
    who: "configuration:read",
    params: importId,
    body: importCallersInput,
    answers: [{ status: 200, description: "The callers that would see any.", schema: importCallers }],
  },
  apply_import: {
    method: "post",
    path: "/api/admin/imports/{id}/apply",
    chapter: "imports",
    summary: "Apply an import's plan, or some of it",
    description:
      "New tools declare `groups`. Without it they are in no group: a caller sees them only where selectors or inclusions of a granted group take them in, or through a grant of everything.",
    who: "configuration:write",
    params: importId,
    body: importApply,
    answers: [
      { status: 200, description: "What it did, in one revision.", schema: importApplied },
      {
        status: 202,
        description: "It takes longer: ask for this import until it is not `applying`. Its `applied` says what it did.",
        schema: importApplying,
      },
    ],
    errors: ["conflict"],
  },
} as const satisfies Contracts;
