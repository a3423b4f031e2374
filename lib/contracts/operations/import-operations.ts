import { z } from "zod";
import { at, ok, type Contracts } from "@/lib/contracts/operations/operation";
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
    ...at.get("/api/admin/mcp-commands"),
    summary: "List the commands that MCP sources may start on this machine",
    who: "configuration:read",
    answers: [ok("The commands of `MCP_STDIO_ALLOW`.", mcpCommands)],
  },
  start_import: {
    ...at.post("/api/admin/imports"),
    summary: "Start an import: read a source's document",
    who: "configuration:write",
    body: importInput,
    bodyTypes: ["application/json"],
    answers: [{ status: 202, description: "Poll this import until it is `planned`.", schema: importStarted }],
  },
  read_import: {
    ...at.get("/api/admin/imports/{id}"),
    summary: "Read an import's progress and plan",
    who: "configuration:read",
    params: importId,
    answers: [ok("The import.", importJob)],
  },
  follow_import: {
    ...at.get("/api/admin/imports/{id}/events"),
    summary: "Stream an import's progress",
    description:
      "Server-sent events: `progress` at each step, `heartbeat` in between, then `result` with the import. `closed` with `code` and `message` means that the progress cannot be read at present: the import continues, and the client should reconnect.",
    who: "configuration:read",
    params: importId,
    answers: [{ status: 200, description: "The events.", types: ["text/event-stream"] }],
  },
  list_import_callers: {
    ...at.post("/api/admin/imports/{id}/callers"),
    summary: "List the callers that would see an import's new tools",
    description:
      "Personas, agents and recent callers that would see new tools of the import if `operations` were added with `groups`. Nothing changes.",
    who: "configuration:read",
    params: importId,
    body: importCallersInput,
    answers: [ok("The callers that would see at least one new tool.", importCallers)],
  },
  apply_import: {
    ...at.post("/api/admin/imports/{id}/apply"),
    summary: "Apply an import's plan, or part of it",
    description:
      "New tools join `groups`. Without `groups`, a caller sees them only if a granted group selects or includes them, or if a policy grants every tool.",
    who: "configuration:write",
    reviewed: true,
    params: importId,
    body: importApply,
    answers: [
      ok("The changes, in one revision.", importApplied),
      {
        status: 202,
        description:
          "Applying takes longer. Poll this import until it is no longer `applying`; its `applied` has the changes.",
        schema: importApplying,
      },
    ],
    errors: ["conflict", "upstream_auth_failed"],
  },
} as const satisfies Contracts;
