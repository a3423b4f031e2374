import { singleton } from "@/lib/process/singleton";
import { createResolver, type Resolver } from "@/lib/access/decide/remember";
import { compileInParts, type Index } from "@/lib/access/compile/compile";
import { configurationInParts, type ConfigDocument } from "@/lib/config/document";
import { env } from "@/lib/env";
import { settingsInput } from "@/lib/resources/settings";
import { toSnapshot, type Snapshot } from "@/lib/store/snapshot/build";
import { db, forDecision, listen } from "@/lib/store/db/database";
import { Freshness } from "@/lib/store/snapshot/freshness";
import { loadRowsAt } from "@/lib/store/save/history";
import { runInTurns } from "@/lib/store/db/in-turns";
import { KnownRows } from "@/lib/store/snapshot/known-rows";
import { currentRevision, loadRows } from "@/lib/store/snapshot/load";
import { readConnectedPeople } from "@/lib/store/oauth/connected-people";
import { readUnimported, type Unimported } from "@/lib/store/snapshot/unimported";

export type { Snapshot } from "@/lib/store/snapshot/build";
export type { RowProblem } from "@/lib/store/snapshot/tolerate";

/** Old revisions whose snapshots stay in memory, because a preview requests the same one repeatedly. */
const MAX_PAST = 4;

interface Shared {
  freshness?: Freshness<Snapshot>;
  resolver?: Resolver;
  past?: Map<number, Promise<Snapshot>>;
}

const state = singleton<Shared>("Snapshot", () => ({}));

/** Keeps a snapshot current. The process has one (`currentSnapshot`); a test may have a second. */
export function followSnapshot(): Freshness<Snapshot> {
  const known = new KnownRows();
  let index: Index | null = null;
  let unimported: Unimported = new Map();
  return new Freshness<Snapshot>({
    load: () =>
      forDecision(async () => {
        const { beside, ...reading } = await loadRows(known, async (tx) => ({
          unimported: await readUnimported(tx, unimported),
          people: await readConnectedPeople(tx),
        }));
        const snapshot = await toSnapshot(reading, index, beside?.unimported, beside?.people);
        ({ index, unimported } = snapshot);
        return snapshot;
      }),
    revision: () => forDecision(() => currentRevision(db())),
    listen: onRevision,
    now: () => performance.now(),
    // Behind a gateway, this process gets few requests. The next one waits for the build, so that not every save causes one.
    eager: env.GATEWAY_SECRET === undefined,
  });
}

/**
 * The current configuration. With `minRevision` it waits up to 2 s for that revision, and up to 10 s while it is loaded.
 *
 * @throws AppError `config_unavailable` (503) when the store has been lost for 5 s, or the revision does not arrive
 */
export function currentSnapshot(minRevision?: number): Promise<Snapshot> {
  return (state().freshness ??= followSnapshot()).current(minRevision);
}

/**
 * The configuration of the store's present revision, also when its notice has not arrived.
 *
 * @throws AppError `config_unavailable` (503) when the store does not answer, or the revision does not arrive
 */
export async function newestSnapshot(): Promise<Snapshot> {
  const minRevision = await forDecision(() => currentRevision(db()));
  return currentSnapshot(minRevision);
}

/** Subscribes to saved changes on any instance: their revision, or `null` = notices may have been lost. */
export function onRevision(handler: (revision: number | null) => void): () => void {
  return listen("configuration", (payload) => handler(payload === null ? null : Number(payload)));
}

/** Notes a revision that a save or an intent row reported. Later requests wait for it. */
export function noteRevision(revision: number): void {
  state().freshness?.note(revision);
}

/** The configuration at an older revision. @throws AppError `not_found` */
export async function snapshotAt(revision: number): Promise<Snapshot> {
  const past = (state().past ??= new Map());
  const known = past.get(revision);
  if (known !== undefined) return known;
  const building = loadRowsAt(revision).then((rows) => toSnapshot(rows));
  past.set(revision, building);
  for (const oldest of past.keys()) if (past.size > MAX_PAST) past.delete(oldest);
  building.catch(() => past.delete(revision));
  return building;
}

/**
 * Builds a snapshot of an inline document: only the document's rows, with this installation's accepted drift and without
 * pauses.
 *
 * @param limitMs for each of two stages, and `signal`: as in `runInTurns`
 * @throws AppError `request_timeout`
 */
export async function snapshotOf(document: ConfigDocument, limitMs?: number, signal?: AbortSignal): Promise<Snapshot> {
  const live = await currentSnapshot();
  const { driftAcceptances, accessGrants } = live.index.config;
  const configuration = await runInTurns(
    configurationInParts(document, { driftAcceptances, accessGrants }),
    limitMs,
    signal,
  );
  const hashes = new Map(configuration.tools.map((tool) => [tool.id, tool.definitionHash]));
  const meta = { revision: 0, createdAt: new Date(0).toISOString(), updatedAt: new Date(0).toISOString() };
  const byName = <T extends { readonly name: string }>(rows: readonly T[] = []) =>
    new Map(rows.map((row) => [row.name, { ...row, ...meta }]));
  return {
    index: await runInTurns(compileInParts(configuration), limitMs, signal),
    sources: byName(document.sources),
    tools: new Map(
      (document.tools ?? []).map((tool) => [tool.id, { ...tool, ...meta, definitionHash: hashes.get(tool.id) ?? "" }]),
    ),
    unimported: new Map(),
    agents: byName(document.agents),
    issuers: byName(document.issuers),
    revocations: new Map(),
    signIn: null,
    settings: document.settings ?? settingsInput.parse({}),
    revision: 0,
    problems: [],
  };
}

/** The process-wide resolver with its two caches (docs/reference/decision.md#cost). */
export function resolver(): Resolver {
  return (state().resolver ??= createResolver());
}

/** Stops following changes, at the end of a process or a test. */
export function closeSnapshot(): void {
  state().freshness?.close();
  state.clear();
}
