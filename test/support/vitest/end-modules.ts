/** How that ends of which a process has one, kept on `globalThis`, and which would outlast its test file. */
const ENDS: Readonly<Record<string, () => Promise<unknown>>> = {
  quartermasterJobs: async () => (await import("@/lib/jobs/runner")).stopJobs(),
  quartermasterSnapshot: async () => (await import("@/lib/store/snapshot/snapshot")).closeSnapshot(),
  quartermasterDatabase: async () => (await import("@/lib/store/db/database")).closeDatabase(),
  quartermasterSandbox: async () => (await import("@/lib/sandbox/sandbox")).sharedSandbox().close(),
};

/** Ends what a test file's modules have begun in a process that it shares with others, and forgets what they kept there. */
export async function endModules(): Promise<void> {
  for (const [name, end] of Object.entries(ENDS)) if (name in globalThis) await end();
  for (const name of Object.keys(globalThis))
    if (name.startsWith("quartermaster")) Reflect.deleteProperty(globalThis, name);
}
