import { randomUUID } from "node:crypto";
import { AppError } from "@/lib/errors";
import { outbound, type Outbound } from "@/lib/outbound/fetch";
import type { ImportInput, ImportJob } from "@/lib/contracts/sources/import-job";
import { FORM_NAME, FORM_NAME_REFUSED } from "@/lib/resources/parts/words";
import { sourceInput } from "@/lib/resources/source";
import {
  IMPORT_KIND,
  isImportedKind,
  type ImportedKind,
  SOURCE_KINDS,
  IMPORTED_KINDS,
} from "@/lib/resources/source-kinds";
import type { ToolInput } from "@/lib/resources/tool";
import { diffTools, toImportEntry } from "@/lib/sources/drift/diff";
import { guessFlow } from "@/lib/sources/import/guess-flow";
import { countHosts, hostsOf } from "@/lib/sources/import/foreign-hosts";
import { readers, type ToolReading } from "@/lib/sources/import/readers";
import { isReadByPeople, requireNoneGone } from "@/lib/sources/import/reading";
import { readDefinitions } from "@/lib/sources/import/taken-over";
import { upstreamKey } from "@/lib/sources/import/upstream-key";
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

/** The imported kinds, as a sentence names them. */
const IMPORTED = IMPORTED_KINDS.map((kind) => `\`${kind}\``).join(" and ");

/** The input of an import. The document may be text, its bytes, or a parsed value. */
export type ImportRequest = Omit<ImportInput, "document"> & {
  readonly document?: ImportInput["document"] | Uint8Array<ArrayBuffer>;
};

/** Called when an import is read (`error` is `null`), or before it is stored that it has failed. Must never reject. */
type OnRead = (id: string, error: string | null) => Promise<void>;

/**
 * Starts an import and returns its id. `getImportJob` reads the result. The catalogue changes only when the import is
 * applied.
 *
 * @param person the id of the person who reads: a source that requires the user's own sign-in is read with their account
 * @throws AppError `invalid_request` when the source cannot be imported into, or there is nothing to read
 */
export async function startImport(
  actor: Actor,
  input: ImportRequest,
  send: Outbound = outbound,
  onRead?: OnRead,
  person: string | null = null,
): Promise<string> {
  const stored = await findSource(input.source);
  if (stored === null && input.source === FORM_NAME) throw refused("source", FORM_NAME_REFUSED);
  const source = stored ?? sourceInput.parse({ name: input.source, kind: IMPORT_KIND, auth: input.auth });
  const { name, kind } = source;
  if (!isImportedKind(kind))
    throw refused("source", `\`${name}\` is of the kind \`${kind}\`: only ${IMPORTED} sources can be imported`);
  if (SOURCE_KINDS[kind].imports === "server" && (input.url !== undefined || input.document !== undefined))
    throw refused(
      "source",
      `Quartermaster reads the tools of \`${name}\` from its address: omit \`url\` and \`document\``,
    );
  if (stored !== null && input.auth !== undefined)
    throw refused("auth", `\`${name}\` has its own authentication: change it there, then import`);
  const url = input.document === undefined ? (input.url ?? source.url) : null;
  if (url === null && input.document === undefined && source.command === null)
    throw refused("url", "state `url` or `document`: the source has no address of its own");
  const id = randomUUID();
  const auth = input.auth ?? null;
  await createImportJob({ id, source: input.source, url, auth, createdBy: actor.name }, new Date());
  // Not awaited: a large document on a slow server takes longer than a request may.
  void runImport(input, { id, url, source, kind, person, send, onRead });
  return id;
}

interface Reading extends Pick<ToolReading, "id" | "url" | "source" | "person" | "send"> {
  readonly kind: ImportedKind;
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
    const message = error instanceof AppError ? error.message : "The server failed.";
    if (!(error instanceof AppError)) log.error({ err: error, id }, "An import failed.");
    await reading.onRead?.(id, message);
    await failImportJob(id, message).catch((cause: unknown) =>
      log.error({ err: cause, id }, "The failure of an import could not be written down."),
    );
  } finally {
    stopBeating();
  }
}

/** Reads the source and plans the import. Compares and stores the tools in batches as they are read. */
async function planImport(input: ImportRequest, reading: Reading): Promise<PlannedImport> {
  const stored = await readSourceTools(input.source);
  const plan: ImportJob["plan"] = { added: [], changed: [], removed: [], unchanged: [], hosts: [] };
  const called: Parameters<typeof countHosts>[0] = new Map();
  const gone = new Map(stored);
  let total = 0;
  const take = async (tools: readonly ToolInput[]): Promise<void> => {
    const known = new Map(
      tools.flatMap(({ id }) => (stored.has(id) ? [[id, stored.get(id) as ToolInput] as const] : [])),
    );
    const diff = await diffTools(known, tools, await readDefinitions([...known.keys()]));
    for (const tool of diff.added) plan.added.push(toImportEntry({ ...tool, flowGuess: guessFlow(tool) }));
    for (const { after, fields } of diff.changed) plan.changed.push(toImportEntry(after, fields));
    for (const tool of diff.unchanged) plan.unchanged.push(toImportEntry(tool));
    for (const { id } of tools) gone.delete(id);
    countHosts(called, tools);
    await addImportedTools(reading.id, total, tools);
    total += tools.length;
  };
  const known = new Map([...stored.values()].map(knownName));
  const read = { ...reading, input, stored: [...stored.values()], known };
  const { title, findings, suggestedAuth, server, unsent: why = null } = await readers[reading.kind](read, take);
  const unsent = why !== null && (await isReadByPeople(reading.source, reading.url)) ? why : null;
  const { removed } = await diffTools(gone, [], new Map());
  requireNoneGone(removed.length, unsent);
  for (const tool of removed) plan.removed.push(toImportEntry(tool));
  plan.hosts = hostsOf(called, stored.values(), { document: server, chosen: input.server ?? null });
  // With authentication, nothing is left to set.
  const hasAuth = reading.source.auth.mode !== "none";
  const warnings = findings.filter(({ asksForAuth }) => !hasAuth || asksForAuth !== true);
  return { title, plan, warnings, suggestedAuth: hasAuth ? [] : [...suggestedAuth], unsent, total };
}

/** The key and the name of a stored tool. A tool that a person wrote has no key, but its name is still in use. */
function knownName(tool: ToolInput): [string, string] {
  return [upstreamKey(tool) ?? `(by hand) ${tool.operation}`, tool.operation];
}

function refused(path: string, message: string): AppError {
  return new AppError("invalid_request", "The import cannot be started.", { errors: [{ path, message }] });
}
