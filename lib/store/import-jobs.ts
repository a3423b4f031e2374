import { AppError } from "@/lib/errors";
import { importJob, type ImportJob } from "@/lib/resources/import-job";
import type { ToolInput } from "@/lib/resources/tool";
import { bulkDb, db } from "@/lib/store/database";
import { inTurns } from "@/lib/store/in-turns";
import { translated } from "@/lib/store/translate";

/** How long an import and its plan are kept, in milliseconds. */
const KEPT_MS = 7 * 24 * 3_600_000;

/** An import that still runs after this long has lost its process. */
const LONGEST_MS = 5 * 60_000;

/** Tools a statement: an import has megabytes of them, and what the client makes of one statement is made in one piece. */
const PART = 100;

/** What a finished import holds. */
export type PlannedImport = Pick<ImportJob, "title" | "plan" | "warnings" | "suggestedAuth" | "total"> & {
  readonly tools: readonly ToolInput[];
};

const EMPTY_PLAN: ImportJob["plan"] = { added: [], changed: [], removed: [], unchanged: [] };

/** Writes down a started import; imports older than a week go. */
export async function createImportJob(
  { auth, ...job }: Pick<ImportJob, "id" | "source" | "url" | "auth" | "createdBy">,
  now: Date,
): Promise<void> {
  await translated(async () => {
    await db().importJob.deleteMany({ where: { createdAt: { lt: new Date(now.getTime() - KEPT_MS) } } });
    await db().importJob.create({
      data: { ...job, ...(auth !== null && { auth }), createdAt: now, tools: [], plan: EMPTY_PLAN, warnings: [] },
    });
  });
}

/** Writes down how far a running import is. */
export async function noteImportProgress(id: string, done: number, total: number): Promise<void> {
  await translated(() => db().importJob.updateMany({ where: { id, status: "running" }, data: { done, total } }));
}

/** Writes down what an import found. */
export async function finishImportJob(id: string, found: PlannedImport): Promise<void> {
  const { title, total, tools } = found;
  // As texts: the client would walk through megabytes value by value.
  for (let start = 0; start < tools.length; start += PART) {
    const part = await toText(tools.slice(start, start + PART));
    await translated(
      () => bulkDb().$executeRaw`UPDATE import_job SET tools = tools || ${part}::jsonb WHERE id = ${id}::uuid`,
    );
  }
  const [plan, warnings, suggested] = [found.plan, found.warnings, found.suggestedAuth].map((value) =>
    JSON.stringify(value),
  );
  await translated(
    () => bulkDb().$executeRaw`
      UPDATE import_job
      SET title = ${title}, plan = ${plan}::jsonb, warnings = ${warnings}::jsonb,
          "suggestedAuth" = ${suggested}::jsonb, total = ${total}, done = ${total}, status = 'planned'
      WHERE id = ${id}::uuid`,
  );
}

/** Writes down why an import found nothing. */
export async function failImportJob(id: string, error: string): Promise<void> {
  await translated(() => db().importJob.update({ where: { id }, data: { status: "failed", error } }));
}

/** Writes down that an import's plan, or a part of it, was applied. */
export async function markImportApplied(id: string): Promise<void> {
  await translated(() => db().importJob.update({ where: { id }, data: { status: "applied" } }));
}

/** An import with its plan. @throws AppError `not_found` */
export async function getImportJob(id: string, now = new Date()): Promise<ImportJob> {
  const row = await translated(() => db().importJob.findUnique({ where: { id }, omit: { tools: true } }));
  if (row === null) throw notFound(id);
  const job = importJob.parse({ ...row, createdAt: row.createdAt.toISOString() });
  if (job.status !== "running" || now.getTime() - row.createdAt.getTime() < LONGEST_MS) return job;
  return { ...job, status: "failed", error: "The import was interrupted: start it again." };
}

/** The tools of an import, as the source describes them. @throws AppError `not_found` */
export async function getImportedTools(id: string): Promise<readonly ToolInput[]> {
  const tools: ToolInput[] = [];
  for (;;) {
    const rows = await translated(
      () => bulkDb().$queryRaw<{ tool: string | null }[]>`
        SELECT part.tool::text AS tool
        FROM import_job LEFT JOIN LATERAL jsonb_array_elements(tools) WITH ORDINALITY AS part (tool, place)
             ON place > ${tools.length} AND place <= ${tools.length + PART}
        WHERE id = ${id}::uuid ORDER BY part.place`,
    );
    if (rows.length === 0) throw notFound(id);
    for await (const { tool } of inTurns(rows)) if (tool !== null) tools.push(JSON.parse(tool) as ToolInput);
    if (rows.length < PART) return tools;
  }
}

async function toText(values: readonly unknown[]): Promise<string> {
  const texts: string[] = [];
  for await (const value of inTurns(values)) texts.push(JSON.stringify(value));
  return `[${texts.join()}]`;
}

function notFound(id: string): AppError {
  return new AppError("not_found", `There is no import \`${id}\`.`);
}
