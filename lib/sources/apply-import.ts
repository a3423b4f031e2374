import { AppError } from "@/lib/errors";
import type { ImportApplied, ImportJob } from "@/lib/resources/import-job";
import { sourceInput } from "@/lib/resources/source";
import type { ToolInput } from "@/lib/resources/tool";
import { diffTools, type ToolDiff } from "@/lib/sources/diff";
import { readDefinitions, saveDefinitions } from "@/lib/sources/taken-over";
import { getImportedTools, getImportJob, markImportApplied } from "@/lib/store/import-jobs";
import type { Stored } from "@/lib/store/stored";
import { toValue } from "@/lib/store/tables";
import { write, type Actor, type Change } from "@/lib/store/write";

/** What of an import is to be applied. */
export type Operations = "all" | readonly string[];

/**
 * Applies an import, or the chosen part of it, in one revision: new tools are created, changed ones take the
 * source's definition and wait in quarantine, removed ones become deprecated. Compared with what is stored
 * now, not with what was when the import was planned; a source that does not exist yet is created.
 *
 * @throws AppError `not_found`; `conflict` for an import that is not planned; `invalid_request` for an unknown
 * operation; whatever `write` refuses
 */
export async function applyImport(actor: Actor, id: string, operations: Operations): Promise<ImportApplied> {
  const job = await getImportJob(id);
  if (job.status !== "planned" && job.status !== "applied")
    throw new AppError("conflict", `The import is ${job.status}: it cannot be applied.`);
  const imported = await getImportedTools(id);
  let chosen: ToolDiff = { added: [], changed: [], removed: [], unchanged: [] };
  const written = await write(
    actor,
    async (stored) => {
      const tools = await toolsOf(stored, job.source);
      const diff = diffTools(tools, imported, await readDefinitions([...tools.keys()]));
      requireKnown(operations, diff);
      chosen = choose(diff, operations);
      return [...(await sourceChanges(stored, job)), ...toolChanges(chosen)];
    },
    { note: `import into ${job.source}` },
  );
  // An unchanged tool may still differ in words that an admin's edit covers: those count as heard.
  const heard = [...chosen.added, ...chosen.changed.map((change) => change.after), ...chosen.unchanged];
  const taken = new Set(heard.map((tool) => tool.id));
  await saveDefinitions(imported.filter((tool) => taken.has(tool.id)));
  await markImportApplied(id);
  const { added, changed, removed } = chosen;
  return { revision: written.revision, added: added.length, changed: changed.length, removed: removed.length };
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

/** The first import makes the source; a source without an address gets the one that was read. */
async function sourceChanges(stored: Stored, job: ImportJob): Promise<Change[]> {
  const source = await stored.get("sources", job.source);
  if (source === null) {
    const after = sourceInput.parse({
      name: job.source,
      kind: "openapi",
      displayName: job.title?.slice(0, 200),
      url: job.url,
    });
    return [{ resource: "sources", action: "create", after }];
  }
  if (source.url !== null || job.url === null) return [];
  const after = { ...toValue("sources", source), url: job.url };
  return [{ resource: "sources", action: "update", id: source.name, after }];
}

function toolChanges(diff: ToolDiff): Change[] {
  return [
    ...diff.added.map((after): Change => ({ resource: "tools", action: "create", after })),
    ...[...diff.changed.map((change) => change.after), ...diff.removed].map((after): Change => ({
      resource: "tools",
      action: "update",
      id: after.id,
      after,
    })),
  ];
}
