import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buildPrograms } from "@/bin/build.mjs";
import { copyTemplate, startThrowawayServer } from "@/test/support/throwaway-server";

/** One import from end to end. */
export interface ImportRun {
  readonly what: string;
  readonly seconds: number;
  /** Milliseconds that the event loop was held up at once, at the most. */
  readonly longest: number;
  /** The same while it did nothing for as long: what the machine's other work does to it. */
  readonly atRest: number;
  readonly added: number;
  readonly unchanged: number;
}

/** Imports a document, and the same once more, in a process of its own with an empty database. */
export async function importInProcess(document: string): Promise<readonly ImportRun[]> {
  // The thread that reads documents is one of the programs.
  await buildPrograms(process.cwd());
  const postgres = await startThrowawayServer();
  const folder = mkdtempSync(join(tmpdir(), "quartermaster-bench-"));
  try {
    const child = fork(join("bench", "support", "importing-process.ts"), {
      execArgv: ["--import", "tsx"],
      env: {
        ...process.env,
        DATABASE_URL: await copyTemplate(postgres.url, postgres.template, `bench_${process.pid}`),
        DATA_DIR: folder,
        NEXTAUTH_SECRET: "a secret of the bench that is long enough",
        MASTER_KEY: Buffer.alloc(32, 9).toString("base64"),
        LOG_LEVEL: "error",
      },
    });
    child.send(document);
    const ended = once(child, "exit").then(([code]) => Promise.reject(new Error(`The import ended with ${code}.`)));
    const [runs] = (await Promise.race([once(child, "message"), ended])) as [readonly ImportRun[]];
    child.disconnect();
    await ended.catch(() => {});
    return runs;
  } finally {
    await postgres.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}
