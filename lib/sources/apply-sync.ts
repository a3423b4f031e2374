import { AppError } from "@/lib/errors";
import { acceptedOf, compareWithStored, toolChanges, type LastDefinitions } from "@/lib/sources/import/apply-import";
import { needsReview } from "@/lib/sources/drift/assess-change";
import type { ToolDiff } from "@/lib/sources/drift/diff";
import { driftChanges } from "@/lib/sources/drift/drift-changes";
import { requireNoneGone } from "@/lib/sources/import/reading";
import { callsForeignHost } from "@/lib/sources/import/foreign-hosts";
import {
  getImportedTools,
  getImportHosts,
  getImportJob,
  getImportUnsent,
  markImportApplied,
  trimSync,
} from "@/lib/store/sources/import-jobs";
import { endSync, type SyncClaim } from "@/lib/store/sources/source-syncs";
import { reviewModeOf } from "@/lib/store/save/review-mode";
import { write, type Actor } from "@/lib/store/save/write";

/**
 * Applies the result of a sync in one revision, or in no revision if nothing changed (docs/reference/execution.md#sync).
 * Changed tools go into quarantine, missing ones become deprecated, and both wait for review, like new operations. With
 * `joinNewOperations: automatic`, new operations join at once unless they have hidden characters, an unaccepted host or a
 * path argument that may lead to another address, or changes are reviewed. Releases the claim of the sync.
 *
 * @throws AppError `not_found`; `conflict` when another sync has replaced the claim; errors of `write`
 */
export async function applySync(actor: Actor, id: string, claim: SyncClaim): Promise<void> {
  const [{ source }, imported] = [await getImportJob(id), await getImportedTools(id)];
  const [hosts, unsent] = [await getImportHosts(id), await getImportUnsent(id)];
  const now = new Date();
  let applied: ToolDiff = { added: [], changed: [], removed: [], unchanged: [] };
  let last: LastDefinitions = new Map();
  await write(
    actor,
    async (stored) => {
      const { diff, rows, ...compared } = await compareWithStored(stored, source, imported);
      last = compared.last;
      requireNoneGone(diff.removed.length, unsent);
      const automatic = (await stored.get("sources", source))?.joinNewOperations === "automatic";
      // While changes need a review, no operation joins without one: it waits in the drift review.
      const joinsAtOnce = automatic && (await reviewModeOf(stored)) === "off";
      // An operation that an earlier import saw but did not accept was declined, unless that import was reverted.
      const candidates = diff.added.filter((tool) => !last.has(tool.id) || last.get(tool.id)?.reverted === true);
      const joining = candidates.filter(
        (tool) => joinsAtOnce && !last.has(tool.id) && !needsReview(tool) && !callsForeignHost(tool, hosts),
      );
      const joined = new Set(joining);
      const fresh = candidates.filter((tool) => !joined.has(tool));
      applied = { ...diff, added: joining };
      const settled = [...joining, ...diff.unchanged].map((tool) => tool.id);
      const described = new Set(imported.map((tool) => tool.id));
      const vanished = [...rows.values()].filter((row) => row.kind === "new" && !described.has(row.id));
      const found = { diff, fresh, imported, settled: [...settled, ...vanished.map((row) => row.id)] };
      return [...toolChanges(applied), ...(await driftChanges(source, rows, found, now))];
    },
    {
      note: `sync of ${source}`,
      // What a sync finds waits in the drift review.
      review: "exempt",
      now,
      definitions: () => acceptedOf(imported, applied, last),
      onSaved: async (tx, { revision }) => {
        const { added, changed, removed } = applied;
        const counts = { added: added.length, changed: changed.length, removed: removed.length };
        await markImportApplied(tx, id, { revision, ...counts });
        await trimSync(tx, id);
        // In this transaction: a client that reads that the import is applied may start the next sync at once.
        if (!(await endSync(claim, null, now, tx)))
          throw new AppError("conflict", "A later sync of this source has begun, so this one changes nothing.");
      },
    },
  );
}
