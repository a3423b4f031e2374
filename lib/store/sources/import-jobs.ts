import { AppError } from "@/lib/errors";
import type { ImportApplied, ImportHost, ImportJob } from "@/lib/contracts/sources/import-job";
import type { ToolInput } from "@/lib/resources/tool";
import { bulkDb, db } from "@/lib/store/db/database";
import { Prisma } from "@/lib/store/generated/client";
import { inTurns } from "@/lib/store/db/in-turns";
import { textBytes } from "@/lib/store/db/text-bytes";
import type { AppliedChange } from "@/lib/store/save/change";

/** Milliseconds for which an import and its plan are stored. */
const ANSWER_RETENTION_MS = 7 * 24 * 3_600_000;

/** Milliseconds between heartbeats of the process that runs an import. */
const HEARTBEAT_MS = 5_000;

/** An import without a heartbeat for this long has lost its process. Jobs of an older version have no heartbeat. */
const LOST = Prisma.sql`COALESCE("beatAt", "createdAt" + interval '5 minutes') < now() - interval '60 seconds'`;

/** Tools per statement. An import has megabytes of them, and the client converts each statement in one blocking step. */
const PART = 100;

/** The result of a finished import, without its tools. */
export type PlannedImport = Pick<ImportJob, "title" | "plan" | "warnings" | "suggestedAuth" | "total"> & {
  /** Why it was read without a linked account, which may see more operations; `null` = applying it may deprecate tools. */
  readonly unsent: string | null;
};

/** An import without its results, for frequent reads. */
export type ImportHead = Omit<ImportJob, "plan" | "warnings" | "suggestedAuth">;

const EMPTY_PLAN: ImportJob["plan"] = { added: [], changed: [], removed: [], unchanged: [], hosts: [] };

/** Stores a started import and deletes imports older than a week. */
export async function createImportJob(
  { auth, ...job }: Pick<ImportJob, "id" | "source" | "url" | "auth" | "createdBy">,
  now: Date,
): Promise<void> {
  const old = { createdAt: { lt: new Date(now.getTime() - ANSWER_RETENTION_MS) } };
  const ids = (await db().importJob.findMany({ where: old, select: { id: true } })).map(({ id }) => id);
  if (ids.length > 0) await bulkDb().importTool.deleteMany({ where: { import: { in: ids } } });
  await db().importJob.deleteMany({ where: { id: { in: ids } } });
  await db().importJob.create({
    data: { ...job, ...(auth !== null && { auth }), createdAt: now, plan: EMPTY_PLAN, warnings: [] },
  });
  await beat(job.id);
}

/** Sends heartbeats for an import until the returned function is called. */
export function keepImportAlive(id: string): () => void {
  // The next beat makes up for a failed one.
  const timer = setInterval(() => void beat(id).catch(() => {}), HEARTBEAT_MS);
  return () => clearInterval(timer);
}

function beat(id: string): Promise<number> {
  return db().$executeRaw`UPDATE import_job SET "beatAt" = now() WHERE id = ${id}::uuid`;
}

/** Stores the progress of reading or applying an import. */
export async function noteImportProgress(id: string, done: number, total: number): Promise<void> {
  const status = { in: ["running", "applying"] };
  await db().importJob.updateMany({ where: { id, status }, data: { done, total } });
}

/** Adds tools to a running import, after those that it has. */
export async function addImportedTools(id: string, from: number, tools: readonly ToolInput[]): Promise<void> {
  for (let start = 0; start < tools.length; start += PART) {
    // As text: Prisma's client would walk through megabytes value by value.
    const part = textBytes(await toText(tools.slice(start, start + PART)));
    await bulkDb().$executeRaw`
      INSERT INTO import_tool (import, place, tool)
      SELECT ${id}::uuid, ${from + start} + place::int, value
      FROM jsonb_array_elements(convert_from(${part}, 'UTF8')::jsonb) WITH ORDINALITY AS part (value, place)`;
  }
}

/** Stores the result of an import. */
export async function finishImportJob(id: string, found: PlannedImport): Promise<void> {
  const { title, total, unsent } = found;
  const [plan, warnings, suggested] = [found.plan, found.warnings, found.suggestedAuth].map((value) =>
    textBytes(JSON.stringify(value)),
  );
  await bulkDb().$executeRaw`
    UPDATE import_job
    SET title = ${title}, plan = convert_from(${plan}, 'UTF8')::jsonb,
        warnings = convert_from(${warnings}, 'UTF8')::jsonb,
        "suggestedAuth" = convert_from(${suggested}, 'UTF8')::jsonb, unsent = ${unsent}, total = ${total}, done = ${total}, status = 'planned'
    WHERE id = ${id}::uuid`;
}

/** Stores why an import failed, and deletes its tools. */
export async function failImportJob(id: string, error: string): Promise<void> {
  await db().importJob.update({ where: { id }, data: { status: "failed", error } });
  await bulkDb().importTool.deleteMany({ where: { import: id } });
}

/**
 * Deletes what only the application of a sync needs: its tools, and its list of unchanged ones. Otherwise frequent syncs of
 * a large source would store gigabytes in a week. Such an import cannot be applied again.
 */
export async function trimSync(tx: Prisma.TransactionClient, id: string): Promise<void> {
  await tx.importTool.deleteMany({ where: { import: id } });
  await tx.$executeRaw`
    UPDATE import_job SET plan = jsonb_set(plan, '{unchanged}', '[]'), tools = '[]' WHERE id = ${id}::uuid`;
}

/**
 * Claims a planned import for applying; one process at a time applies it. Returns its status before.
 *
 * @throws AppError `not_found`; `conflict` for an import that is not planned, or that a process is applying
 */
export async function claimImport(id: string): Promise<"planned" | "applied"> {
  const [claimed] = await db().$queryRaw<{ applied: boolean }[]>`
    UPDATE import_job SET status = 'applying', done = 0, error = NULL, "beatAt" = now()
    WHERE id = ${id}::uuid AND (status IN ('planned', 'applied') OR (status = 'applying' AND ${LOST}))
      AND (status <> 'applied' OR tools <> '[]' OR EXISTS (SELECT 1 FROM import_tool tool WHERE tool.import = import_job.id))
      AND NOT EXISTS (SELECT 1 FROM request asked WHERE asked.id = import_job.request AND asked.status = 'open')
    RETURNING applied IS NOT NULL AS applied`;
  if (claimed !== undefined) return claimed.applied ? "applied" : "planned";
  const { status, request } = await getImportJob(id);
  if (request?.status === "open")
    throw new AppError("conflict", `The import waits for a second person: request \`${request.id}\`.`);
  const instead = {
    applying: "is being applied: wait until that is done",
    applied: "has no tools that could be applied again: start a new one",
  };
  const why = status === "applying" || status === "applied" ? instead[status] : `is ${status}: it cannot be applied`;
  throw new AppError("conflict", `The import ${why}.`);
}

/**
 * Releases a claimed import with the error that stopped it; `null` = it was no error. Returns the result when the import was
 * applied after all, because only the answer to the commit was lost; otherwise `null`.
 */
export async function releaseImport(
  id: string,
  status: "planned" | "applied",
  error: string | null,
): Promise<ImportApplied | null> {
  const where = { id, status: "applying" };
  const { count } = await db().importJob.updateMany({ where, data: { status, error } });
  return count > 0 ? null : (await getImportJob(id)).applied;
}

/**
 * Releases a claimed import whose application became a change request, in the transaction that opens the request.
 *
 * @throws AppError `conflict` when another process has the claim by now
 */
export async function holdImport(
  tx: Prisma.TransactionClient,
  id: string,
  status: "planned" | "applied",
  request: string,
): Promise<void> {
  const where = { id, status: "applying" };
  const { count } = await tx.importJob.updateMany({ where, data: { status, error: null, request } });
  if (count === 0) throw new AppError("conflict", "Another process has applied the import meanwhile.");
}

/** Stores, in the transaction of an approval, the result of the import that a change request applies. */
export async function markRequestedImport(
  tx: Prisma.TransactionClient,
  request: string,
  { revision, changes }: { readonly revision: number; readonly changes: readonly AppliedChange[] },
): Promise<void> {
  const job = await tx.importJob.findFirst({ where: { request }, select: { id: true } });
  if (job === null) return;
  const tools = changes.filter(({ resource }) => resource === "tools");
  const isGone = ({ after }: AppliedChange) => (after as { readonly status?: string } | null)?.status === "deprecated";
  const added = tools.filter(({ action }) => action === "create").length;
  const removed = tools.filter((change) => change.action === "update" && isGone(change)).length;
  await markImportApplied(tx, job.id, { revision, added, changed: tools.length - added - removed, removed });
}

/** Stores the result of applying an import or a part of it, in the transaction of the change. */
export async function markImportApplied(
  tx: Prisma.TransactionClient,
  id: string,
  applied: ImportApplied,
): Promise<void> {
  await tx.$executeRaw`
    UPDATE import_job SET status = 'applied', error = NULL, done = total, applied = ${JSON.stringify(applied)}::jsonb
    WHERE id = ${id}::uuid`;
}

interface HeadColumns extends Omit<ImportHead, "createdAt"> {
  readonly createdAt: Date;
  readonly lost: boolean;
}

const HEAD = Prisma.sql`id, source, url, auth, title, status, done, total, error, applied, "createdBy", "createdAt",
  (SELECT jsonb_build_object('id', asked.id, 'status', asked.status, 'asker', asked.asker, 'decidedBy', asked."decidedBy")
    FROM request asked WHERE asked.id = import_job.request) AS request,
  status IN ('running', 'applying') AND ${LOST} AS lost`;

/** An import without its plan. @throws AppError `not_found` */
export async function getImportJob(id: string): Promise<ImportHead> {
  const [row] = await db().$queryRaw<HeadColumns[]>`SELECT ${HEAD} FROM import_job WHERE id = ${id}::uuid`;
  if (row === undefined) throw notFound(id);
  return toHead(row);
}

/**
 * An import with its plan as JSON text (`importJob`), so that a plan of thousands of lines is not parsed and printed again.
 *
 * @throws AppError `not_found`
 */
export async function getImportText(id: string): Promise<string> {
  const [row] = await bulkDb().$queryRaw<(HeadColumns & { found: string })[]>`
    SELECT ${HEAD}, format('"plan":%s,"warnings":%s,"suggestedAuth":%s', plan, warnings, "suggestedAuth") AS found
    FROM import_job WHERE id = ${id}::uuid`;
  if (row === undefined) throw notFound(id);
  const { found, ...head } = row;
  return `${JSON.stringify(toHead(head)).slice(0, -1)},${found}}`;
}

function toHead({ lost, ...row }: HeadColumns): ImportHead {
  const head = { ...row, createdAt: row.createdAt.toISOString() };
  if (!lost) return head;
  if (head.status === "running")
    return { ...head, status: "failed", error: "The import was interrupted: start it again." };
  const error = "Applying was interrupted before anything was changed: apply it again.";
  return { ...head, status: head.applied === null ? "planned" : "applied", error };
}

/** Why an import was read without a linked account; `null` = applying it may deprecate tools. */
export async function getImportUnsent(id: string): Promise<string | null> {
  const job = await db().importJob.findUnique({ where: { id }, select: { unsent: true } });
  return job?.unsent ?? null;
}

/** The hosts that an import's calls would go to. Imports of an older version have none. */
export async function getImportHosts(id: string): Promise<readonly ImportHost[]> {
  const [row] = await bulkDb().$queryRaw<{ hosts: ImportHost[] | null }[]>`
    SELECT plan->'hosts' AS hosts FROM import_job WHERE id = ${id}::uuid`;
  return row?.hosts ?? [];
}

/** The tools of an import, as the source describes them. @throws AppError `not_found` */
export async function getImportedTools(id: string): Promise<readonly ToolInput[]> {
  const tools: ToolInput[] = [];
  for await (const tool of importedTools(id)) tools.push(tool);
  return tools;
}

/** Yields these tools one by one, with few in memory at a time. @throws AppError `not_found` */
export async function* importedTools(id: string): AsyncGenerator<ToolInput> {
  await getImportJob(id);
  for (let last = -1; ;) {
    const rows = await bulkDb().$queryRaw<{ place: number; tool: string }[]>`
      SELECT place, tool::text AS tool FROM import_tool
      WHERE import = ${id}::uuid AND place > ${last} ORDER BY place LIMIT ${PART}`;
    for await (const { tool } of inTurns(rows)) yield JSON.parse(tool) as ToolInput;
    if (rows.length === 0 && last === -1) yield* await getToolsInJob(id);
    last = rows.at(-1)?.place ?? last;
    if (rows.length < PART) return;
  }
}

/** The tools of an import from an older version, which stored them in its row. */
async function getToolsInJob(id: string): Promise<readonly ToolInput[]> {
  const rows = await bulkDb().$queryRaw<{ tool: string }[]>`
    SELECT part.tool::text AS tool FROM import_job, jsonb_array_elements(tools) WITH ORDINALITY AS part (tool, place)
    WHERE id = ${id}::uuid ORDER BY part.place`;
  const tools: ToolInput[] = [];
  for await (const { tool } of inTurns(rows)) tools.push(JSON.parse(tool) as ToolInput);
  return tools;
}

async function toText(values: readonly unknown[]): Promise<string> {
  const texts: string[] = [];
  for await (const value of inTurns(values)) texts.push(JSON.stringify(value));
  return `[${texts.join()}]`;
}

function notFound(id: string): AppError {
  return new AppError("not_found", `There is no import \`${id}\`.`);
}
