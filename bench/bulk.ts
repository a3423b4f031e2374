import { monitorEventLoopDelay } from "node:perf_hooks";
import { setTimeout as delay } from "node:timers/promises";
import { closing } from "@/bench/support/closing";
import { largeInstallation } from "@/bench/support/large-installation";
import { report } from "@/bench/support/measure";

// Measures what a change of all 10,000 tools does to other requests: the longest hold-up of the process while the change is
// planned (with its impact and an assertion), saved and read back.

const MAX_MS = 200;

await closing(async (atEnd) => {
  const installation = await largeInstallation();
  atEnd(installation.stop);
  // Imported after the environment is set.
  const { VOLATILE } = await import("@/lib/audit/record/claims");
  const { REDACTED } = await import("@/lib/audit/record/redact");
  const { assertionInput } = await import("@/lib/resources/assertion");
  const { bulkInput } = await import("@/lib/contracts/changes/bulk");
  const { planBulk, writeBulk } = await import("@/lib/admin/bulk");
  const { closeDatabase } = await import("@/lib/store/db/database");
  const { stores } = await import("@/lib/store/config/index");
  const { closeSnapshot, currentSnapshot } = await import("@/lib/store/snapshot/snapshot");
  atEnd(closeDatabase);
  atEnd(closeSnapshot);
  const actor = { kind: "system", name: "bench", role: "admin" } as const;
  const assertion = { name: "someone-has-some", given: { persona: "someone" }, expect: { visible: [], hidden: [] } };
  await stores.assertions.create(actor, assertionInput.parse(assertion));
  await currentSnapshot();

  const all = { rows: { query: {} }, change: { kind: "add", field: "labels", values: ["changed-together"] } };
  const change = bulkInput.parse(all);
  await heldUp("planning", () => planBulk(actor, "tools", change, { unlogged: VOLATILE, mask: REDACTED }));
  await heldUp("saving and reading back", async () => {
    const { revision, changing } = await writeBulk(actor, "tools", change);
    if (changing !== 10_000) throw new Error(`${changing} tools were changed.`);
    while ((await currentSnapshot().catch(() => null))?.revision !== revision) await delay(20);
  });
});

/** Does the work and reports the longest hold-up of everything else. */
async function heldUp(what: string, work: () => Promise<unknown>): Promise<void> {
  const held = monitorEventLoopDelay({ resolution: 1 });
  held.enable();
  const start = performance.now();
  await work();
  held.disable();
  console.log(`        ${what}: ${(performance.now() - start).toFixed(0)} ms in all`);
  report(
    `${what} 10,000 changed tools holds up the event loop at once, at the most`,
    held.max / 1e6,
    { atMost: MAX_MS },
    " ms",
  );
}
