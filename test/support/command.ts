import { execFile } from "node:child_process";

/** The output of a command, and its exit code. */
export interface Ran {
  readonly code: number;
  readonly out: string;
  readonly error: string;
}

/** Runs `npx quartermaster …` as a process, with only the given environment. */
export function command(args: readonly string[], env: Readonly<Record<string, string | undefined>>): Promise<Ran> {
  const { PATH, HOME } = process.env;
  return new Promise((resolve) => {
    const options = { env: { ...env, PATH, HOME, NODE_ENV: "production" as const } };
    execFile(process.execPath, ["bin/quartermaster.mjs", ...args], options, (failed, out, error) =>
      resolve({ code: failed === null ? 0 : Number(failed.code), out, error }),
    );
  });
}

/** Runs it on the installation of this test file. */
export function commandHere(args: readonly string[], env: Readonly<Record<string, string>>): Promise<Ran> {
  const { DATABASE_URL, MASTER_KEY } = process.env;
  return command(args, { DATABASE_URL, MASTER_KEY, ...env });
}
