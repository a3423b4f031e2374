/** Where `lib/process/singleton.ts` keeps what a process has one of. */
export const kept = globalThis as { quartermaster?: Record<string, unknown> };

/** How that of it ends which would outlast its test file. */
const ENDS: Readonly<Record<string, () => Promise<unknown>>> = {
  Jobs: async () => (await import("@/lib/jobs/runner")).stopJobs(),
  Snapshot: async () => (await import("@/lib/store/snapshot/snapshot")).closeSnapshot(),
  Database: async () => (await import("@/lib/store/db/database")).closeDatabase(),
  Sandbox: async () => (await import("@/lib/sandbox/sandbox")).sharedSandbox().close(),
  SchemaTrials: async () => (await import("@/lib/calls/schemas/schema-trial")).sharedSchemaTrials().close(),
};

/** The threads of lib/threads. */
const THREADS = "Threads";

/** Ends what a test file's modules have begun in a process that it shares with others, and forgets what they kept there. */
export async function endModules(): Promise<void> {
  const values = kept.quartermaster ?? {};
  for (const [name, end] of Object.entries(ENDS)) if (name in values) await end();
  for (const name of Object.keys(values)) if (name !== THREADS) delete values[name];
}

/**
 * Gives the next file's modules a record of their own. An idle thread stays in it: it runs built code, which no test file
 * changes, and to start one for each file would take a third of a second.
 */
export function renewKept(): void {
  const threads = kept.quartermaster?.[THREADS] as { readonly running: number } | undefined;
  kept.quartermaster = threads?.running === 0 ? { [THREADS]: threads } : {};
}
