import { randomUUID } from "node:crypto";
import { AppError } from "@/lib/errors";
import { outbound, type Outbound } from "@/lib/outbound/fetch";
import type { ImportInput, ImportJob } from "@/lib/contracts/sources/import-job";
import type { SourceRow } from "@/lib/resources/source";
import type { ToolInput } from "@/lib/resources/tool";
import { diffTools, toImportEntry } from "@/lib/sources/drift/diff";
import { hostOf, hostsOf } from "@/lib/sources/import/foreign-hosts";
import { mcpToolKey } from "@/lib/sources/mcp/import-mcp";
import { importMcpInThread } from "@/lib/sources/mcp/import-thread";
import { readMcpTools } from "@/lib/sources/mcp/read-tools";
import type { ReadImport, TakeTools } from "@/lib/sources/openapi/import-thread";
import { endpointKey } from "@/lib/sources/openapi/operation-names";
import { readOpenApiTools } from "@/lib/sources/openapi/read-tools";
import { serverInUse } from "@/lib/sources/openapi/servers";
import { readDefinitions } from "@/lib/sources/import/taken-over";
import {
  addImportedTools,
  createImportJob,
  failImportJob,
  finishImportJob,
  keepImportAlive,
  type PlannedImport,
} from "@/lib/store/sources/import-jobs";
import { findSource, readSourceTools } from "@/lib/store/sources/source-tools";
import type { Actor } from "@/lib/store/save/write";
import { log } from "@/lib/telemetry/log";

/** The input of an import. The document may be text, its bytes, or a parsed value. */
export type ImportRequest = Omit<ImportInput, "document"> & {
  readonly document?: ImportInput["document"] | Uint8Array<ArrayBuffer>;
};

/** Called when an import is read (`error` is `null`) or has failed. Must never reject. */
export type OnRead = (id: string, error: string | null) => Promise<void>;

/**
 * Starts an import and returns its id. `getImportJob` reads the result. The catalogue changes only when the import is
 * applied.
 *
 * @throws AppError `invalid_request` when the source cannot be imported into, or there is nothing to read
 */
export async function startImport(
  actor: Actor,
  input: ImportRequest,
  send: Outbound = outbound,
  onRead?: OnRead,
): Promise<string> {
  const source = await findSource(input.source);
  if (source !== null && source.kind !== "openapi" && source.kind !== "mcp")
    throw refused(
      "source",
      `\`${source.name}\` is of the kind \`${source.kind}\`: only \`openapi\` and \`mcp\` sources are imported`,
    );
  if (source?.kind === "mcp" && (input.url !== undefined || input.document !== undefined))
    throw refused("source", `\`${source.name}\` is an MCP server: its tools are read from its own address`);
  if (source !== null && input.auth !== undefined)
    throw refused("auth", `\`${source.name}\` has its own authentication: change it there, then import`);
  const url = input.document === undefined ? (input.url ?? source?.url ?? null) : null;
  if (url === null && input.document === undefined && (source?.command ?? null) === null)
    throw refused("url", "state `url` or `document`: the source has no address of its own");
  const id = randomUUID();
  const auth = input.auth ?? null;
  await createImportJob({ id, source: input.source, url, auth, createdBy: actor.name }, new Date());
  // Not awaited: a large document on a slow server takes longer than a request may.
  void runImport(input, { id, url, source, send, onRead });
  return id;
}

interface Reading {
  readonly id: string;
  readonly url: string | null;
  readonly source: SourceRow | null;
  readonly send: Outbound;
  readonly onRead: OnRead | undefined;
}

/** Runs an import. Never rejects, but stores a failure as the import's result. */
async function runImport(input: ImportRequest, reading: Reading): Promise<void> {
  const { id } = reading;
  const stopBeating = keepImportAlive(id);
  try {
    await finishImportJob(id, await planImport(input, reading));
    await reading.onRead?.(id, null);
  } catch (error) {
    const message = error instanceof AppError ? error.message : "Something failed on our side.";
    if (!(error instanceof AppError)) log.error({ err: error, id }, "An import failed.");
    await failImportJob(id, message).catch((cause: unknown) =>
      log.error({ err: cause, id }, "The failure of an import could not be written down."),
    );
    await reading.onRead?.(id, message);
  } finally {
    stopBeating();
  }
}

/** Reads the source and plans the import. Compares and stores the tools in batches as they are read. */
async function planImport(input: ImportRequest, reading: Reading): Promise<PlannedImport> {
  const stored = await readSourceTools(input.source);
  const plan: ImportJob["plan"] = { added: [], changed: [], removed: [], unchanged: [], hosts: [] };
  const called = new Map<string, number>();
  const gone = new Map(stored);
  let total = 0;
  const take = async (tools: readonly ToolInput[]): Promise<void> => {
    const known = new Map(
      tools.flatMap(({ id }) => (stored.has(id) ? [[id, stored.get(id) as ToolInput] as const] : [])),
    );
    const diff = await diffTools(known, tools, await readDefinitions([...known.keys()]));
    for (const tool of diff.added) plan.added.push(toImportEntry(tool));
    for (const { after, fields } of diff.changed) plan.changed.push(toImportEntry(after, fields));
    for (const tool of diff.unchanged) plan.unchanged.push(toImportEntry(tool));
    for (const { id } of tools) gone.delete(id);
    for (const host of tools.map(hostOf)) if (host !== null) called.set(host, (called.get(host) ?? 0) + 1);
    await addImportedTools(reading.id, total, tools);
    total += tools.length;
  };
  const { title, findings, suggestedAuth, server } = await readTools(input, reading, [...stored.values()], take);
  for (const tool of (await diffTools(gone, [], new Map())).removed) plan.removed.push(toImportEntry(tool));
  plan.hosts = hostsOf(called, stored.values(), { document: server, chosen: input.server ?? null });
  const suggested = authOf(input, reading).mode === "none" ? [...suggestedAuth] : [];
  return { title, plan, warnings: [...findings], suggestedAuth: suggested, total };
}

/** Reads the source and passes its tools to `take` in batches. Each batch waits for the one before. */
async function readTools(
  input: ImportRequest,
  reading: Reading,
  stored: readonly ToolInput[],
  take: TakeTools,
): Promise<ReadImport> {
  const { id, url, source, send } = reading;
  const known = new Map(stored.map(knownName));
  if (source?.kind === "mcp") {
    return importMcpInThread({ list: await readMcpTools(source), source: source.name, known }, take);
  }
  const options = {
    source: input.source,
    url: url ?? source?.url ?? null,
    known,
    server: input.server ?? null,
    inUse: serverInUse(stored),
  };
  const asked = { name: input.source, auth: authOf(input, reading) };
  return readOpenApiTools({ id, document: input.document ?? null, options, source: asked, send, take });
}

/** The authentication for reading the source: its own, else the one of this import. */
function authOf({ auth }: ImportRequest, { source }: Reading): SourceRow["auth"] {
  return source?.auth ?? auth ?? { mode: "none" };
}

/** The key and the name of a stored tool. A tool that a person made has no endpoint, but its name is still in use. */
function knownName({ method, path, run, operation }: ToolInput): [string, string] {
  if (run?.kind === "mcp") return [mcpToolKey(run.tool), operation];
  return [method === null || path === null ? `(by hand) ${operation}` : endpointKey({ method, path }), operation];
}

function refused(path: string, message: string): AppError {
  return new AppError("invalid_request", "The import cannot be started.", { errors: [{ path, message }] });
}
