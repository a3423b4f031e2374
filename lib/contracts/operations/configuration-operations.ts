import { z } from "zod";
import { at, ok, type Contracts } from "@/lib/contracts/operations/operation";
import { configDocument } from "@/lib/config/document";
import { breakerState } from "@/lib/contracts/sources/breaker";
import { bulkInput, bulkOutput, bulkSection } from "@/lib/contracts/changes/bulk";
import { changePage, changeQuery, changeRow } from "@/lib/contracts/changes/change";
import { configPlan, configQuery } from "@/lib/contracts/changes/config";
import { demoOutput } from "@/lib/contracts/changes/demo";
import { idInPath, nameInPath, revisionNumber, toolInPath } from "@/lib/resources/parts/name";
import { pauseInput, pauseList, pauseTarget } from "@/lib/resources/pause";
import { revisionDetail, revisionPage, revisionQuery } from "@/lib/contracts/changes/revision";
import { revisionDiff, revisionRestored } from "@/lib/contracts/changes/revision-diff";
import { saveQuery } from "@/lib/contracts/changes/row-plan";
import { settingsSaved } from "@/lib/contracts/changes/resource-schemas";
import { settingsInput, settingsOutput } from "@/lib/resources/settings";
import { tryInput, tryOutput } from "@/lib/contracts/log/try";

const number = z.coerce.number().pipe(revisionNumber);
const YAML = "application/yaml";
const JSON_TYPE = "application/json";

/**
 * Operations on the whole configuration: its document, revisions, changes, settings and pauses
 * (docs/reference/http.md#admin-api).
 */
export const CONFIGURATION_OPERATIONS = {
  export_configuration: {
    ...at.get("/api/admin/config"),
    summary: "Export the configuration as one document",
    description:
      "JSON, or YAML if `Accept` asks for it. The document never contains secrets, users, keys, tokens, OAuth clients, webhooks, pauses or approved definitions.",
    who: "configuration:read",
    answers: [
      { status: 200, description: "The document.", schema: configDocument, types: [JSON_TYPE, YAML], etag: true },
    ],
  },
  apply_configuration: {
    ...at.put("/api/admin/config"),
    summary: "Apply a configuration document, or only plan it",
    description:
      "Saves in one transaction, as one revision. An absent section stays unchanged; `[]` empties a section. With `dryRun=true` the answer is the plan, and nothing is saved. A TrustGraph tool configuration is accepted too, and merged.",
    who: "configuration:write",
    reviewed: true,
    query: configQuery,
    headers: ["If-Match?"],
    body: configDocument,
    bodyTypes: [JSON_TYPE, YAML, "text/plain"],
    answers: [ok("The changes; in a dry run, the plan.", configPlan)],
    errors: ["conflict", "in_use"],
  },
  read_example_configuration: {
    ...at.get("/api/admin/config/example"),
    summary: "Read the shipped taxonomy and intent map",
    who: "configuration:read",
    answers: [{ status: 200, description: "A configuration document.", types: [YAML] }],
  },
  change_many: {
    ...at.post("/api/admin/bulk/{section}"),
    summary: "Change or delete many rows of a section, or only plan it",
    description:
      "Saves all or none, as one revision. Names rows by id, or takes all that match a list's search and filters. With `dryRun=true` the answer is the plan and its impact, and nothing is saved. Send its revision as `If-Match`: a change in between is then a 409.",
    who: "configuration:write",
    reviewed: true,
    params: bulkSection,
    query: saveQuery,
    headers: ["If-Match?"],
    body: bulkInput,
    answers: [ok("The changes; in a dry run, the plan.", bulkOutput)],
    errors: ["conflict", "in_use", "not_found", "forbidden", "rate_limited"],
  },
  read_breaker: {
    ...at.get("/api/admin/sources/{name}/breaker"),
    chapter: "sources",
    summary: "Read a source's circuit breaker in every process",
    who: "configuration:read",
    params: nameInPath,
    answers: [ok("The breaker.", breakerState)],
  },
  reset_breaker: {
    ...at.post("/api/admin/sources/{name}/breaker/reset"),
    chapter: "sources",
    summary: "Reset a source's circuit breaker in every process",
    who: "configuration:write",
    params: nameInPath,
    answers: [ok("The closed breaker.", breakerState)],
  },
  try_tool: {
    ...at.post("/api/admin/tools/{id}/try"),
    chapter: "tools",
    summary: "Call a tool as an agent or a persona",
    description:
      "Runs the whole call pipeline with the rights of that agent or persona, including side effects, and logs it with the door `try`. The answer is the call's result, with the output of a script.",
    who: "configuration:write",
    params: toolInPath,
    body: tryInput,
    numbers: "exact",
    answers: [ok("How the call ended.", tryOutput)],
  },
  list_revisions: {
    ...at.get("/api/admin/revisions"),
    summary: "List revisions, newest first",
    who: "configuration:read",
    query: revisionQuery,
    answers: [ok("A page.", revisionPage)],
  },
  read_revision: {
    ...at.get("/api/admin/revisions/{number}"),
    summary: "Read a revision and the rows it changed",
    who: "configuration:read",
    params: z.object({ number }),
    answers: [ok("The revision and its first 500 rows.", revisionDetail)],
  },
  diff_revisions: {
    ...at.get("/api/admin/revisions/{number}/diff/{to}"),
    summary: "Compare two revisions",
    who: "configuration:read",
    params: z.object({ number, to: number }),
    answers: [ok("Each changed row before and after.", revisionDiff)],
  },
  restore_revision: {
    ...at.post("/api/admin/revisions/{number}/restore"),
    summary: "Restore the configuration of a revision, as a new revision",
    description: "If issuers or settings change, their permissions are required too.",
    who: "configuration:write",
    reviewed: true,
    params: z.object({ number }),
    headers: ["If-Match?"],
    answers: [ok("The new revision.", revisionRestored)],
    errors: ["conflict", "in_use"],
  },
  list_changes: {
    ...at.get("/api/admin/changes"),
    chapter: "log",
    summary: "List changes of the configuration, newest first",
    who: "configuration:read",
    query: changeQuery,
    answers: [ok("Who changed what, before and after.", changePage)],
  },
  read_change: {
    ...at.get("/api/admin/changes/{id}"),
    chapter: "log",
    summary: "Read one change of the configuration",
    who: "configuration:read",
    params: idInPath,
    answers: [ok("Who changed what, before and after.", changeRow)],
  },
  read_settings: {
    ...at.get("/api/admin/settings"),
    summary: "Read the settings",
    who: "configuration:read",
    answers: [{ status: 200, description: "The settings.", schema: settingsOutput, etag: true }],
  },
  replace_settings: {
    ...at.put("/api/admin/settings"),
    summary: "Replace the settings",
    description: "With `dryRun=true` the answer is the plan, and nothing is saved.",
    who: "settings:write",
    reviewed: true,
    query: saveQuery,
    headers: ["If-Match"],
    body: settingsInput,
    answers: [ok("The settings, or the plan of a dry run.", settingsSaved)],
    errors: ["conflict"],
  },
  read_demo: {
    ...at.get("/api/admin/demo"),
    summary: "Count the demo rows that nobody changed",
    who: "configuration:read",
    answers: [ok("The count.", demoOutput)],
  },
  remove_demo: {
    ...at.delete("/api/admin/demo"),
    summary: "Remove the demo",
    description:
      "Deletes the rows that the demo created and nobody changed, the tools of its sources and the API keys of its agents, in one revision.",
    who: "settings:write",
    reviewed: true,
    answers: [ok("The rows that are left.", demoOutput)],
    errors: ["in_use"],
  },
  list_pauses: {
    ...at.get("/api/admin/pause"),
    summary: "List pauses",
    who: "configuration:read",
    answers: [ok("The present pauses.", pauseList)],
  },
  pause: {
    ...at.put("/api/admin/pause"),
    summary: "Pause all calls, or those of one source or agent",
    who: "pause:write",
    body: pauseInput,
    answers: [ok("The present pauses.", pauseList)],
  },
  resume: {
    ...at.delete("/api/admin/pause"),
    summary: "Lift a pause",
    who: "pause:write",
    reviewed: true,
    query: pauseTarget,
    answers: [{ status: 204, description: "Resumed." }],
    errors: ["not_found"],
  },
} as const satisfies Contracts;
