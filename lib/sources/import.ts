import { randomUUID } from "node:crypto";
import { AppError } from "@/lib/errors";
import { OUTBOUND_LIMITS, outbound, type Outbound } from "@/lib/outbound/fetch";
import type { ImportInput } from "@/lib/resources/import-job";
import type { SourceRow } from "@/lib/resources/source";
import type { ToolInput } from "@/lib/resources/tool";
import { diffTools, toImportEntry } from "@/lib/sources/diff";
import { importOpenApi } from "@/lib/sources/openapi/import-openapi";
import { endpointKey } from "@/lib/sources/openapi/operation-names";
import { readOpenApi } from "@/lib/sources/openapi/read-document";
import { readDefinitions } from "@/lib/sources/taken-over";
import { createImportJob, failImportJob, finishImportJob, type PlannedImport } from "@/lib/store/import-jobs";
import { findSource, readSourceTools } from "@/lib/store/source-tools";
import type { Actor } from "@/lib/store/write";
import { log } from "@/lib/telemetry/log";

/**
 * Starts an import and answers its id; what it finds is read with `getImportJob`. Nothing of the catalogue
 * changes before it is applied.
 *
 * @throws AppError `invalid_request` when the source cannot be imported into, or there is nothing to read
 */
export async function startImport(actor: Actor, input: ImportInput, send: Outbound = outbound): Promise<string> {
  const source = await findSource(input.source);
  if (source !== null && source.kind !== "openapi")
    throw refused(
      "source",
      `\`${source.name}\` is of the kind \`${source.kind}\`: only \`openapi\` sources are imported`,
    );
  const url = input.document === undefined ? (input.url ?? source?.url ?? null) : null;
  if (url === null && input.document === undefined)
    throw refused("url", "state `url` or `document`: the source has no address of its own");
  const id = randomUUID();
  await createImportJob({ id, source: input.source, url, createdBy: actor.name }, new Date());
  // The answer does not wait: a large document on a slow server takes longer than a request should.
  void runImport(id, input, { url, source, send });
  return id;
}

interface Reading {
  readonly url: string | null;
  readonly source: SourceRow | null;
  readonly send: Outbound;
}

/** Never rejects: a failure is the import's result. */
async function runImport(id: string, input: ImportInput, reading: Reading): Promise<void> {
  try {
    const text = input.document ?? (await download(reading.url ?? "", reading.send));
    await finishImportJob(id, await planImport(input.source, text, reading));
  } catch (error) {
    const message = error instanceof AppError ? error.message : "Something failed on our side.";
    if (!(error instanceof AppError)) log.error({ err: error, id }, "An import failed.");
    await failImportJob(id, message).catch((cause: unknown) =>
      log.error({ err: cause, id }, "The failure of an import could not be written down."),
    );
  }
}

async function download(url: string, send: Outbound): Promise<string> {
  const answer = await send({
    url,
    headers: { accept: "application/json, application/yaml, */*;q=0.5" },
    maxBytes: OUTBOUND_LIMITS.largestBodyBytes,
  });
  if (answer.status >= 300 && answer.status < 400)
    throw new AppError(
      "upstream_error",
      `The address answers with a redirect (${answer.status}): give the final address.`,
    );
  if (answer.status !== 200)
    throw new AppError("upstream_error", `The address answered with status ${answer.status} instead of a document.`);
  return new TextDecoder().decode(answer.body);
}

/** What the document says, beside what is stored. */
async function planImport(
  source: string,
  document: NonNullable<ImportInput["document"]>,
  reading: Reading,
): Promise<PlannedImport> {
  const stored = await readSourceTools(source);
  const imported = importOpenApi(readOpenApi(document), {
    source,
    url: reading.url ?? reading.source?.url ?? null,
    known: new Map([...stored.values()].map(knownName)),
  });
  const diff = diffTools(stored, imported.tools, await readDefinitions([...stored.keys()]));
  const plan = {
    added: diff.added.map((tool) => toImportEntry(tool)),
    changed: diff.changed.map(({ after, fields }) => toImportEntry(after, fields)),
    removed: diff.removed.map((tool) => toImportEntry(tool)),
    unchanged: diff.unchanged.map((tool) => toImportEntry(tool)),
  };
  const { title, tools, findings } = imported;
  return { title, tools, plan, warnings: [...findings], total: tools.length };
}

/** A tool made by hand has no endpoint, but its name is taken all the same. */
function knownName({ method, path, operation }: ToolInput): [string, string] {
  return [method === null || path === null ? `(by hand) ${operation}` : endpointKey({ method, path }), operation];
}

function refused(path: string, message: string): AppError {
  return new AppError("invalid_request", "The import cannot be started.", { errors: [{ path, message }] });
}
