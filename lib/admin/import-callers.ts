import { compileInParts, withoutPauses } from "@/lib/access/compile/compile";
import type { Tool } from "@/lib/access/model/configuration";
import { compareIndexes } from "@/lib/access/impact/impact";
import { MAX_GAINED_NAMED, type ImportCallers, type ImportCallersInput } from "@/lib/contracts/sources/import-job";
import { loadCallers } from "@/lib/admin/callers";
import { IMPORT_KIND } from "@/lib/resources/source-kinds";
import { getImportJob, importedTools } from "@/lib/store/sources/import-jobs";
import { inTurns, runInTurns } from "@/lib/store/db/in-turns";
import { currentSnapshot } from "@/lib/store/snapshot/snapshot";

/** The large fields of a tool that no decision reads. Emptied, because 10,000 of them would fill the memory. */
const UNREAD = { inputSchema: {}, outputSchema: null, description: "", guidance: null, run: null };

/**
 * Finds the callers that would see new tools of an import if these were added with these groups. Compares two
 * resolutions without pauses. Selectors and inclusions count, so an import without groups may still reach callers.
 *
 * @param now epoch milliseconds of every decision
 * @throws AppError `not_found`; `config_unavailable`
 */
export async function listImportCallers(
  id: string,
  { operations, groups }: ImportCallersInput,
  now = Date.now(),
): Promise<ImportCallers> {
  const { source } = await getImportJob(id);
  const snapshot = await currentSnapshot();
  const { callers, more } = await loadCallers(snapshot);
  const before = await runInTurns(withoutPauses(snapshot.index));
  const picked = operations === "all" ? null : new Set(operations);
  const added: Tool[] = [];
  for await (const tool of importedTools(id)) {
    // The hash only shows whether a restricted profile has accepted the tool. None has accepted a new one.
    if (!before.tools.numberOf.has(tool.id) && picked?.has(tool.id) !== false)
      added.push({ ...tool, ...UNREAD, groups, definitionHash: "" });
  }
  const { sources, tools } = before.config;
  const known = sources.some(({ name }) => name === source);
  const draft = {
    ...before.config,
    sources: known ? sources : [...sources, { name: source, kind: IMPORT_KIND, enabled: true }],
    tools: [...tools, ...added],
  };
  const after = await runInTurns(compileInParts(draft, before));
  const comparison = await runInTurns(compareIndexes(before, after, now));
  const seeing: ImportCallers["callers"] = [];
  const seen = new Set<string>();
  for await (const { kind, name, issuer, answer } of inTurns(callers)) {
    const { gained } = comparison.tools(answer, answer);
    if (gained.length === 0) continue;
    for (const { id: toolId } of gained) seen.add(toolId);
    const named = gained.slice(0, MAX_GAINED_NAMED).map((tool) => tool.id);
    seeing.push({ kind, name, issuer, gained: { count: gained.length, tools: named } });
  }
  return { callers: seeing, tools: seen.size, asked: callers.length, more };
}
