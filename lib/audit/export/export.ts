import { createHash, randomUUID } from "node:crypto";
import { toOcsf } from "@/lib/audit/export/ocsf";
import { signStatement } from "@/lib/audit/seal/statement";
import {
  BODY_COLUMNS,
  LOG_COLUMNS,
  type ExecutionExportQuery,
  type ExportManifest,
} from "@/lib/contracts/log/execution-export";
import type { ExecutionRow } from "@/lib/contracts/log/execution";
import { exportHead, exportLine } from "@/lib/contracts/changes/export";
import { recordAuditEvent } from "@/lib/store/audit/audit-events";
import { withBodies, type CallBodies } from "@/lib/store/log/execution-bodies";
import { readExecutions } from "@/lib/store/log/executions";
import { addExport } from "@/lib/store/log/log-exports";
import { logSession } from "@/lib/store/db/log-session";
import { readAhead } from "@/lib/store/db/read-ahead";
import { readLastSeal } from "@/lib/store/audit/seals";
import type { Actor } from "@/lib/store/save/write";

/** Rows of one read. A reader holds two pages, and one is read ahead. Each row may have two bodies of 64 KiB. */
const PAGE = 400;
const PAGE_WITH_BODIES = 50;

/** The person who exports, and the request id. */
interface Exporter {
  readonly actor: Actor;
  readonly requestId: string | null;
}

/**
 * Every execution that matches a query, as lines of text, page by page. Records the start of the export first; records
 * its count and hash when the last line was sent (`readExport`). Without `to` the export ends at the present time, so
 * that its rows stay the same.
 * @returns its id, and the text in parts
 * @throws AppError `config_unavailable`
 */
export async function exportLog(
  query: ExecutionExportQuery,
  { actor, requestId }: Exporter,
  now = new Date(),
): Promise<{ readonly id: string; readonly parts: AsyncIterable<string> }> {
  const id = `exp_${randomUUID()}`;
  await recordAuditEvent({ actor, action: "executions.exported", target: id, requestId });
  if (query.bodies) await recordAuditEvent({ actor, action: "executions.bodies", target: id, requestId });
  const { format, columns: wanted = format === "ocsf" ? [] : LOG_COLUMNS, sort, bodies, ...stated } = query;
  const columns = bodies && format !== "ocsf" ? [...wanted, ...BODY_COLUMNS] : wanted;
  const limit = bodies ? PAGE_WITH_BODIES : PAGE;
  const filter = { ...stated, to: stated.to ?? now.toISOString() };
  const last = await logSession("read", readLastSeal);
  const head = format === "ocsf" ? "" : exportHead(format, columns);
  const line = (row: ExecutionRow & Partial<CallBodies>) =>
    format === "ocsf" ? `${JSON.stringify(toOcsf(row))}\n` : exportLine(format, columns, row);
  const parts = async function* () {
    const hash = createHash("sha256").update(head);
    let count = 0;
    yield head;
    const read = async (cursor: string | null) => {
      const page = await readExecutions({ ...filter, sort, limit, ...(cursor !== null && { cursor }) });
      return bodies ? { ...page, items: await withBodies(page.items) } : page;
    };
    for await (const { items } of readAhead(read)) {
      const text = items.map(line).join("");
      hash.update(text);
      count += items.length;
      yield text;
    }
    const filterEntries = Object.entries({ ...filter, sort, ...(bodies && { bodies }) }).filter(
      ([, value]) => value !== undefined,
    );
    const manifest = {
      id,
      at: new Date().toISOString(),
      actor: actor.name,
      format,
      filter: Object.fromEntries(filterEntries) as ExportManifest["filter"],
      columns: [...columns],
      count,
      sha256: hash.digest("hex"),
      seal: last?.number ?? null,
    };
    await addExport(signStatement(manifest));
  };
  return { id, parts: parts() };
}
