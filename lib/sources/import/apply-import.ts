import { withTimeout } from "@/lib/process/timeout";
import { DEFAULT_GROUP } from "@/lib/access/model/configuration";
import { AppError } from "@/lib/errors";
import type { ImportApplied, ImportApply } from "@/lib/contracts/sources/import-job";
import { sourceInput } from "@/lib/resources/source";
import { IMPORT_KIND } from "@/lib/resources/source-kinds";
import type { ToolInput } from "@/lib/resources/tool";
import { diffTools, type ToolDiff } from "@/lib/sources/drift/diff";
import { driftChanges, type DriftRows } from "@/lib/sources/drift/drift-changes";
import { requireAccepted } from "@/lib/sources/import/foreign-hosts";
import { requireNoneGone } from "@/lib/sources/import/reading";
import { guessFlow } from "@/lib/sources/import/guess-flow";
import { definitionsOf, goneDefinitionsOf, readDefinitions } from "@/lib/sources/import/taken-over";
import { driftOf } from "@/lib/store/sources/drift";
import {
  claimImport,
  holdImport,
  getImportedTools,
  getImportHosts,
  getImportJob,
  getImportUnsent,
  keepImportAlive,
  markImportApplied,
  noteImportProgress,
  releaseImport,
  type ImportHead,
} from "@/lib/store/sources/import-jobs";
import type { Definitions } from "@/lib/store/sources/upstream-definitions";
import type { Stored } from "@/lib/store/save/stored";
import { toValue } from "@/lib/store/config/tables";
import { write, type Actor, type Change } from "@/lib/store/save/write";
import { log } from "@/lib/telemetry/log";

/** The sources' last accepted definitions, by tool id. */
export type LastDefinitions = Awaited<ReturnType<typeof readDefinitions>>;
type Operations = "all" | readonly string[];

/** Milliseconds that a request waits for its import. */
const WAIT_MS = 5_000;
/** Milliseconds between two stored progress reports. */
const REPORT_MS = 500;

/**
 * Applies an import like `applyImport`. After `waitMs` it returns `null` and continues in the background; the import then
 * shows its progress and its result. Nobody is asked for a reason then: the change becomes a request without one.
 *
 * @throws as `applyImport`
 */
export async function startApplying(
  actor: Actor,
  id: string,
  applying: ImportApply,
  waitMs = WAIT_MS,
): Promise<ImportApplied | null> {
  let inBackground = false;
  const prompted: Actor = { ...actor, wantsReasonPrompt: () => !inBackground && actor.wantsReasonPrompt?.() === true };
  const applied = applyClaimed(prompted, id, applying, await claimImport(id));
  // After the timeout nobody awaits a failure. The import stores the outcome.
  applied.catch(() => {});
  const answer = await withTimeout(applied, waitMs, null);
  inBackground = answer === null;
  return answer;
}

/**
 * Applies an import, or the chosen operations, in one revision. Creates new tools and a missing source, puts changed tools
 * into quarantine, and deprecates missing ones. Compares with the present state, not with the plan. Declines new tools that
 * are not chosen, so that no sync proposes them. Stores the result or the failure in the import.
 *
 * @throws AppError `not_found`; `conflict` for an import that is not planned; `invalid_request` for an unknown
 * operation; `upstream_auth_failed` when tools are gone from a reading without credentials; errors of `write`
 */
export async function applyImport(actor: Actor, id: string, applying: ImportApply): Promise<ImportApplied> {
  return applyClaimed(actor, id, applying, await claimImport(id));
}

/** Applies an import that this process has claimed. Releases the claim after a failure. */
async function applyClaimed(
  actor: Actor,
  id: string,
  applying: ImportApply,
  before: "planned" | "applied",
): Promise<ImportApplied> {
  const stopBeating = keepImportAlive(id);
  try {
    return await save(actor, await getImportJob(id), applying, before);
  } catch (error) {
    if (!(error instanceof AppError)) log.error({ err: error, id }, "An import could not be applied.");
    // The transaction that opened the request has released the claim.
    else if (error.code === "awaits_review") throw error;
    const applied = await releaseImport(id, before, sentenceOf(error, actor)).catch((cause: unknown) => {
      log.error({ err: cause, id }, "That an import was not applied could not be written down.");
      return null;
    });
    if (applied === null) throw error;
    return applied;
  } finally {
    stopBeating();
  }
}

async function save(
  actor: Actor,
  job: ImportHead,
  { operations, groups, hosts: accepted = [], auth }: ImportApply,
  before: "planned" | "applied",
): Promise<ImportApplied> {
  const { id } = job;
  const imported = await getImportedTools(id);
  const [hosts, unsent] = [await getImportHosts(id), await getImportUnsent(id)];
  let chosen: ToolDiff = { added: [], changed: [], removed: [], unchanged: [] };
  let declined: readonly ToolInput[] = [];
  let last: LastDefinitions = new Map();
  let applied: ImportApplied = { revision: 0, added: 0, changed: 0, removed: 0 };
  const now = new Date();
  const { note, written } = progressOf(id, () => chosen.added.length + chosen.changed.length + chosen.removed.length);
  await write(
    actor,
    async (stored) => {
      const { diff, rows, ...compared } = await compareWithStored(stored, job.source, imported);
      last = compared.last;
      requireKnown(operations, diff);
      await requireGroups(stored, groups);
      chosen = choose(diff, operations);
      requireNoneGone(chosen.removed.length, unsent);
      // Only added tools: the drift review decides about a changed tool's new host.
      requireAccepted(chosen.added, hosts, accepted);
      const taken = new Set(chosen.added);
      declined = diff.added.filter((tool) => !taken.has(tool));
      const settled = [...chosen.added, ...declined, ...chosen.removed, ...chosen.unchanged].map((tool) => tool.id);
      const found = { diff: { changed: chosen.changed, removed: [] }, fresh: [], imported, settled };
      return [
        ...(await sourceChanges(stored, job, auth)),
        ...toolChanges(chosen, groups),
        ...(await driftChanges(job.source, rows, found, now)),
      ];
    },
    {
      note: `import into ${job.source}`,
      now,
      onProgress: note,
      definitions: () => acceptedOf(imported, chosen, last, declined),
      onHeld: (tx, request) => holdImport(tx, id, before, request),
      onSaved: async (tx, { revision }) => {
        // Progress uses other connections. A pending report and this transaction would wait for each other.
        await written();
        const { added, changed, removed } = chosen;
        applied = { revision, added: added.length, changed: changed.length, removed: removed.length };
        await markImportApplied(tx, id, applied);
      },
    },
  );
  return applied;
}

/** Stores how many rows are saved, at most every `REPORT_MS`. `written` waits for the last report. */
function progressOf(id: string, total: () => number) {
  let noted = performance.now();
  let last: Promise<unknown> = Promise.resolve();
  const note = (done: number) => {
    if (performance.now() - noted < REPORT_MS) return;
    noted = performance.now();
    // The import does not depend on its progress reports.
    last = noteImportProgress(id, Math.min(Math.floor(done), total()), total()).catch(() => {});
  };
  return { note, written: () => last };
}

/** Why an import was not applied; `null` when its person is being asked for a reason. */
function sentenceOf(error: unknown, actor: Actor): string | null {
  if (!(error instanceof AppError)) return "The server failed.";
  if (error.code === "reason_needed" && actor.wantsReasonPrompt?.() === true) return null;
  return [error.message, ...error.errors.slice(0, 3).map(({ message }) => message)].join(" ");
}

/** Compares a source's present definitions with the stored tools, in one transaction. */
export async function compareWithStored(
  stored: Stored,
  source: string,
  imported: readonly ToolInput[],
): Promise<{ readonly diff: ToolDiff; readonly rows: DriftRows; readonly last: LastDefinitions }> {
  const [tools, rows] = [await toolsOf(stored, source), await driftOf(stored, source)];
  const last = await readDefinitions([...new Set([...tools.keys(), ...imported.map(({ id }) => id)])], stored);
  const moved = [...rows.values()].filter(({ kind, heldByHand }) => kind === "changed" && !heldByHand);
  const waiting = new Set(moved.map(({ id }) => id));
  return { diff: await diffTools(tools, imported, last, waiting), rows, last };
}

/**
 * Creates a tool. It is only in groups that a person chose, because a source must not grant access. Its guessed flow binds
 * until a person confirms or replaces it.
 */
export function newTool(tool: ToolInput, groups: readonly string[] = []): Change {
  return { resource: "tools", action: "create", after: { ...tool, groups: [...groups], flowGuess: guessFlow(tool) } };
}

/** The changes of the tools in a diff: added, changed or back, and removed ones. */
export function toolChanges(
  { added, changed, removed }: Pick<ToolDiff, "added" | "changed" | "removed">,
  groups: readonly string[] = [],
): Change[] {
  return [
    ...added.map((tool) => newTool(tool, groups)),
    ...[...changed.map(({ pinned }) => pinned), ...removed].map((after): Change => ({
      resource: "tools",
      action: "update",
      id: after.id,
      after,
    })),
  ];
}

/**
 * The source's definitions that need no approval. Includes unchanged tools, whose edited texts may differ, declined
 * operations, and removed tools, which are marked as gone.
 */
export function acceptedOf(
  imported: readonly ToolInput[],
  { added, changed, removed, unchanged }: ToolDiff,
  last: LastDefinitions,
  declined: readonly ToolInput[] = [],
): Definitions {
  const back = changed.filter(({ waits }) => !waits).map(({ after }) => after);
  const accepted = new Set([...added, ...declined, ...back, ...unchanged].map(({ id }) => id));
  const present = definitionsOf(imported.filter(({ id }) => accepted.has(id)));
  const gone = removed.filter(({ status }) => status === "deprecated");
  return new Map([...present, ...goneDefinitionsOf(gone, last)]);
}

async function toolsOf(stored: Stored, source: string): Promise<ReadonlyMap<string, ToolInput>> {
  const all = await stored.all("tools");
  const own = [...all.values()].filter((tool) => tool.source === source);
  return new Map(own.map((tool) => [tool.id, toValue("tools", tool)]));
}

function requireKnown(operations: Operations, diff: ToolDiff): void {
  if (operations === "all") return;
  const known = new Set(
    [...diff.added, ...diff.changed.map((change) => change.after), ...diff.removed, ...diff.unchanged].map(
      (tool) => tool.id,
    ),
  );
  const errors = operations.flatMap((id, index) =>
    known.has(id) ? [] : [{ path: `operations[${index}]`, message: `\`${id}\` is not part of this import` }],
  );
  if (errors.length > 0) throw new AppError("invalid_request", "The body is not valid.", { errors });
}

async function requireGroups(stored: Stored, groups: readonly string[]): Promise<void> {
  if (groups.length === 0) return;
  const known = await stored.all("groups");
  const errors = groups.flatMap((name, index) =>
    name === DEFAULT_GROUP || known.has(name)
      ? []
      : [{ path: `groups[${index}]`, message: `there is no group \`${name}\`` }],
  );
  if (errors.length > 0) throw new AppError("invalid_request", "The body is not valid.", { errors });
}

function choose(diff: ToolDiff, operations: Operations): ToolDiff {
  if (operations === "all") return diff;
  const wanted = new Set(operations);
  return {
    added: diff.added.filter((tool) => wanted.has(tool.id)),
    changed: diff.changed.filter((change) => wanted.has(change.after.id)),
    removed: diff.removed.filter((tool) => wanted.has(tool.id)),
    unchanged: diff.unchanged,
  };
}

/** Creates the source at its first import. Adds a missing address and the chosen authentication to an existing source. */
async function sourceChanges(stored: Stored, job: ImportHead, auth: ImportApply["auth"]): Promise<Change[]> {
  const source = await stored.get("sources", job.source);
  if (source === null) {
    const after = sourceInput.parse({
      name: job.source,
      kind: IMPORT_KIND,
      displayName: job.title?.slice(0, 200),
      url: job.url,
      auth: auth ?? job.auth ?? undefined,
    });
    return [{ resource: "sources", action: "create", after }];
  }
  const value = toValue("sources", source);
  if (source.command !== null && auth !== undefined)
    throw new AppError("invalid_request", "The body is not valid.", {
      errors: [{ path: "auth", message: "a server started by a command has no authentication: omit it" }],
    });
  const after = { ...value, url: source.url ?? job.url, auth: auth ?? source.auth };
  return [{ resource: "sources", action: "update", id: source.name, after }];
}
