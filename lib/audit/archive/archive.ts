import { createHash, randomUUID } from "node:crypto";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import { canonicalText } from "@/lib/access/model/canonical";
import type { Json } from "@/lib/access/model/configuration";
import { fromJson } from "@/lib/access/model/json";
import { AppError } from "@/lib/errors";
import type { ArchiveStorage } from "@/lib/audit/archive/archive-storage";
import { toRuns } from "@/lib/audit/archive/archived-rows";
import { readSealedRows, type SealedRow, type TextRow } from "@/lib/audit/record/record";
import { hashesOf } from "@/lib/audit/seal/seal";
import { signStatement } from "@/lib/audit/seal/statement";
import {
  archiveManifest,
  type ArchivedSeals,
  type ArchiveLine,
  type ArchiveManifest,
} from "@/lib/contracts/log/retention";
import type { SignedSeal } from "@/lib/contracts/log/seal";
import { recordAuditEvent } from "@/lib/store/audit/audit-events";
import type { Actor } from "@/lib/store/save/change";
import { addArchive, readMonthRows, readMonthSeals, spanOf, type MonthRows } from "@/lib/store/log/log-months";
import { readLogTables } from "@/lib/store/log/log-rows";
import { logSession, type RunQuery, type Copy } from "@/lib/store/db/log-session";
import { readBodies, readLeaves, type CallKey, type SealLeaves } from "@/lib/store/audit/seals";

/** The most rows held at a time, and the bytes of text in a part. */
const BATCH_ROWS = 2_048;
const PART_BYTES = 4 * 1024 * 1024;

const compress = promisify(gzip);

/** How to make an archive. */
interface ArchiveOptions {
  readonly actor: Actor;
  readonly storage: ArchiveStorage;
  /** Whether to archive bodies too: an archive cannot erase them later. */
  readonly bodies: boolean;
  /** Called after each batch, and after each part that is read back. */
  readonly onProgress?: (done: number, total: number) => Promise<void>;
  readonly now?: () => Date;
}

/**
 * Writes a month of the log to the storage: each row as it was sealed, with its seal and its index. Reads the written
 * parts back before it records the archive. Calls continue meanwhile.
 * Finds each row in its seal by hash, so a month with a changed or unsealed row cannot be archived.
 * @throws AppError `conflict` for a month that has not ended, or is not wholly sealed; errors of the store or the archive storage
 */
export async function archiveMonth(month: string, options: ArchiveOptions): Promise<ArchiveManifest> {
  const { actor, storage, now = () => new Date() } = options;
  if (spanOf(month).to > now()) throw new AppError("conflict", `The month ${month} is not over.`);
  const present = await readMonthRows(month);
  if (present.rows === 0) throw new AppError("conflict", `The log has no rows of ${month}.`);
  if (present.open > 0)
    throw new AppError("conflict", `${present.open} calls of ${month} have not ended: they cannot be archived yet.`);
  const id = `arc_${randomUUID()}`;
  await recordAuditEvent({ actor, action: "executions.exported", target: id, requestId: null });
  const file = new ArchiveFile(storage, `${month}/${id}`);
  const written = new WrittenRows();
  for (let after: number | null = 0; after !== null;)
    after = await logSession("read", async (runQuery, copy) => {
      const next = await addBatch(
        runQuery,
        copy,
        { month, present, after: after ?? 0, bodies: options.bodies },
        file,
        written,
      );
      await options.onProgress?.(written.rows, present.rows);
      return next;
    });
  if (written.rows !== present.rows)
    throw new AppError(
      "conflict",
      `${present.rows - written.rows} rows of ${month} are not sealed, or differ from their seals: verify the log.`,
    );
  const parts = await file.end();
  const { rows, bodies, seals } = written;
  const description = { id, month, at: now().toISOString(), actor: actor.name, rows, bodies, parts, seals: seals() };
  const manifest = signStatement(description);
  await storage.put(`${month}/${id}/manifest.json`, Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`));
  await requireArchive(storage, manifest, async () => options.onProgress?.(written.rows, present.rows));
  await addArchive({ manifest, place: storage.name, events: present.events });
  return manifest;
}

/**
 * Reads an archive: compares its manifest with the recorded one, and its parts with their hashes.
 *
 * @param onPart called after each part: reading a large archive takes minutes
 * @throws AppError `conflict` naming the file that differs
 */
export async function requireArchive(
  storage: ArchiveStorage,
  manifest: ArchiveManifest,
  onPart?: () => Promise<void>,
): Promise<void> {
  const { id, month, parts } = manifest;
  const requireFile = async (name: string, isAsRecorded: (bytes: Uint8Array) => boolean) => {
    const bytes = await storage.get(`${month}/${id}/${name}`);
    if (bytes !== null && isAsRecorded(bytes)) return;
    const problem = bytes === null ? "is missing" : "was changed";
    throw new AppError("conflict", `The archive ${id} is incomplete: ${name} ${problem}.`);
  };
  await requireFile("manifest.json", (bytes) => isManifest(bytes, manifest));
  for (const { name, sha256 } of parts) {
    await requireFile(name, (bytes) => sha256Of(bytes) === sha256);
    await onPart?.();
  }
}

function isManifest(bytes: Uint8Array, manifest: ArchiveManifest): boolean {
  const { data } = archiveManifest.safeParse(fromJson(Buffer.from(bytes).toString("utf8")));
  return data !== undefined && canonicalText(data as Json) === canonicalText(manifest as Json);
}

/** Collects the written rows by seal. */
class WrittenRows {
  rows = 0;
  bodies = 0;
  readonly #whole: number[] = [];
  readonly #mixed: ArchivedSeals["mixed"] = [];

  add({ number, count }: SignedSeal, places: readonly number[]): void {
    this.rows += places.length;
    if (places.length === count) this.#whole.push(number);
    else if (places.length > 0) this.#mixed.push({ seal: number, rows: toRuns(places) });
  }

  readonly seals = (): ArchivedSeals => ({ whole: toRuns(this.#whole), mixed: this.#mixed });
}

/** The parts of an archive: gathers lines, and writes a part when there are enough. */
class ArchiveFile {
  readonly #storage: ArchiveStorage;
  readonly #folder: string;
  readonly #parts: ArchiveManifest["parts"] = [];
  #lines: string[] = [];
  #size = 0;

  constructor(storage: ArchiveStorage, folder: string) {
    this.#storage = storage;
    this.#folder = folder;
  }

  async add(line: ArchiveLine): Promise<void> {
    const text = `${JSON.stringify(line)}\n`;
    this.#lines.push(text);
    this.#size += text.length;
    if (this.#size >= PART_BYTES) await this.#flush();
  }

  async end(): Promise<ArchiveManifest["parts"]> {
    if (this.#size > 0) await this.#flush();
    return this.#parts;
  }

  async #flush(): Promise<void> {
    const bytes = await compress(this.#lines.join(""));
    const name = `${String(this.#parts.length + 1).padStart(5, "0")}.jsonl.gz`;
    await this.#storage.put(`${this.#folder}/${name}`, bytes);
    this.#parts.push({ name, bytes: bytes.length, sha256: sha256Of(bytes) });
    [this.#lines, this.#size] = [[], 0];
  }
}

interface Position {
  readonly month: string;
  readonly present: MonthRows;
  readonly after: number;
  readonly bodies: boolean;
}

/** Writes one batch of seals. Returns the last seal's number, `null` when there are no more. */
async function addBatch(
  runQuery: RunQuery,
  copy: Copy,
  at: Position,
  file: ArchiveFile,
  written: WrittenRows,
): Promise<number | null> {
  const seals = await readMonthSeals(runQuery, at.present, at.after, BATCH_ROWS);
  const [first, last] = [seals[0], seals.at(-1)];
  if (first === undefined || last === undefined) return null;
  const rows: TextRow[] = [];
  const range = { fromXid: first.fromXid, toXid: last.toXid, begun: spanOf(at.month) };
  const tables = await readLogTables(runQuery);
  const add = (row: SealedRow, { text }: Pick<TextRow, "text">) => rows.push({ ...row, text });
  await readSealedRows(copy, tables.calls, range, add);
  const events = { ...range, fromXid: Math.min(...seals.map(beginOfEvents)) };
  if (events.fromXid < range.toXid) await readSealedRows(copy, [tables.audit], events, add);
  const lists = await readLeaves(runQuery, seals);
  for (const seal of seals) {
    const list = lists.get(seal.number);
    const found =
      list === undefined
        ? []
        : findLeaves(
            list,
            rows.filter((row) => isCovered(row, seal)),
          );
    if (list === undefined || found.length === 0) continue;
    await file.add({ kind: "seal", seal, hashes: Buffer.from(list.hashes).toString("base64") });
    for (const { index, row } of found) await file.add({ kind: "row", seal: seal.number, index, record: row.text });
    written.add(
      seal,
      found.map(({ index }) => index),
    );
    if (at.bodies)
      written.bodies += await addBodies(
        runQuery,
        file,
        found.flatMap(({ row }) => callOf(row)),
      );
  }
  return last.number;
}

function isCovered({ name, xid }: TextRow, seal: SignedSeal): boolean {
  return (isEvent(name) ? beginOfEvents(seal) : seal.fromXid) <= xid && xid < seal.toXid;
}

/** The first transaction whose audit events a seal may cover. Older versions sealed no audit events. */
function beginOfEvents({ auditFrom, toXid }: SignedSeal): number {
  return auditFrom ?? toXid;
}

function isEvent(name: string): boolean {
  return name.startsWith("audit ");
}

/** The rows that are in a seal's list, by index. Found by hash, so a changed row is in none, and a doubled one in one place. */
function findLeaves(list: SealLeaves, rows: readonly TextRow[]): { readonly index: number; readonly row: TextRow }[] {
  const places = new Map(hashesOf(list).map((hash, index) => [hash.toString("hex"), index]));
  return rows
    .flatMap((row) => {
      const hash = row.leaf.toString("hex");
      const index = places.get(hash);
      places.delete(hash);
      return index === undefined ? [] : [{ index, row }];
    })
    .toSorted((a, b) => a.index - b.index);
}

/** The call of an intent, whose bodies are archived with it. */
function callOf({ name, callId, text }: TextRow): CallKey[] {
  if (!name.startsWith("execution ")) return [];
  return [{ callId, callAt: new Date((JSON.parse(text) as { readonly at: string }).at) }];
}

async function addBodies(runQuery: RunQuery, file: ArchiveFile, calls: readonly CallKey[]): Promise<number> {
  const bodies = await readBodies(runQuery, calls);
  for (const { key, ...body } of bodies)
    await file.add({ kind: "body", ...body, key: key === null ? null : Buffer.from(key).toString("base64") });
  return bodies.length;
}

function sha256Of(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}
