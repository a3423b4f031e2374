import { CommandProblem, type Output } from "@/bin/commands/output";
import type { Environment } from "@/bin/commands/server";
import { AppError } from "@/lib/errors";

/** One command: prints, and answers an exit code: 0 (fine), 1 (the check failed), 2 (the command could not run), 3 (it waits for a review). */
interface Command {
  readonly usage: string;
  readonly needsDatabase: boolean;
  /** Whether the command creates a database when there is none. */
  readonly makesDatabase?: boolean;
  /** Whether the command itself checks the database and reports its problems. */
  readonly looksItself?: boolean;
  readonly load: () => Promise<(args: readonly string[], output: Output, env: Environment) => Promise<number>>;
}

const commands: Readonly<Record<string, Command>> = {
  resolve: {
    usage: "resolve CONFIG.yaml --claims CLAIMS.json   show which tools a caller has, and why",
    needsDatabase: false,
    load: async () => (await import("@/bin/commands/resolve")).resolveCommand,
  },
  test: {
    usage: "test CONFIG.yaml [--now TIME]               run the assertions of a configuration, as of a time (ISO 8601)",
    needsDatabase: false,
    load: async () => (await import("@/bin/commands/test")).testCommand,
  },
  export: {
    usage: "export [--output FILE]                      export the configuration of a server as YAML",
    needsDatabase: false,
    load: async () => (await import("@/bin/commands/export")).exportCommand,
  },
  plan: {
    usage: "plan DOCUMENT.yaml [--merge]                show what apply would change on a server",
    needsDatabase: false,
    load: async () => (await import("@/bin/commands/plan")).planCommand,
  },
  apply: {
    usage: "apply DOCUMENT.yaml [--merge] [--reason …]  apply a document to a server as one revision",
    needsDatabase: false,
    load: async () => (await import("@/bin/commands/apply")).applyCommand,
  },
  diff: {
    usage: "diff REVISION [REVISION]                    show what changed between two revisions",
    needsDatabase: false,
    load: async () => (await import("@/bin/commands/diff")).diffCommand,
  },
  token: {
    usage: "token create --role ROLE --name NAME        create a personal access token (shown once)",
    needsDatabase: true,
    load: async () => (await import("@/bin/commands/token")).tokenCommand,
  },
  user: {
    usage: `user create EMAIL --role ROLE               create a user with a password (shown once)
  npx quartermaster user password EMAIL                         set a new password (shown once) and end sessions`,
    needsDatabase: true,
    load: async () => (await import("@/bin/commands/user")).userCommand,
  },
  review: {
    usage:
      "review off                                  switch reviews of changes off, when nobody can approve any more",
    needsDatabase: true,
    load: async () => (await import("@/bin/commands/review")).reviewCommand,
  },
  verify: {
    usage: "verify [--checkpoints FILE]                 verify the log against its seals",
    needsDatabase: true,
    load: async () => (await import("@/bin/commands/verify")).verifyCommand,
  },
  "verify-proof": {
    usage: "verify-proof PROOF.json --keys JWKS.json    verify the proof of one call offline",
    needsDatabase: false,
    load: async () => (await import("@/bin/commands/verify-proof")).verifyProofCommand,
  },
  "verify-archive": {
    usage: "verify-archive FOLDER --keys JWKS.json      verify an archived month; --prove CALL proves one call",
    needsDatabase: false,
    load: async () => (await import("@/bin/commands/verify-archive")).verifyArchiveCommand,
  },
  retention: {
    usage: "retention [--apply]                         list months to archive and drop; --apply does it",
    needsDatabase: true,
    load: async () => (await import("@/bin/commands/retention")).retentionCommand,
  },
  doctor: {
    usage: "doctor                                      check the installation and say how to fix problems",
    needsDatabase: true,
    looksItself: true,
    load: async () => (await import("@/bin/commands/doctor/doctor")).doctorCommand,
  },
  backup: {
    usage: "backup FILE                                 write all rows of the running installation to a file",
    needsDatabase: true,
    load: async () => (await import("@/bin/commands/backup")).backupCommand,
  },
  restore: {
    usage: "restore FILE                                restore a backup into an empty database",
    needsDatabase: true,
    makesDatabase: true,
    load: async () => (await import("@/bin/commands/restore")).restoreCommand,
  },
  "rotate-key": {
    usage: "rotate-key                                  re-encrypt everything with the current MASTER_KEY",
    needsDatabase: true,
    load: async () => (await import("@/bin/commands/rotate-key")).rotateKeyCommand,
  },
};

const HELP = `Quartermaster decides which tools an agent may see and call.

  npx quartermaster ${Object.values(commands)
    .map(({ usage }) => usage)
    .join("\n  npx quartermaster ")}
  npx quartermaster help                                        show this text

resolve takes the caller's inputs:
  --claims FILE | JSON | -     claims as JSON; a file, the text itself, or standard input
  --persona NAME               the persona's capabilities, and without --claims its sample claims
  --group NAME                 requested group, repeatable; --group= requests none
  --state, --machine, --profile, --intent NAME, --confidence 0..1, --capability NAME (repeatable),
  --label NAME (repeatable): a label that the caller holds
  --include-disabled           include disabled tools, marked
  --explain TOOL               show every step for one tool, repeatable
  --now TIME                   ISO 8601; default: now

export, plan, apply and diff use a running server:
  --url URL, --token TOKEN     default: QUARTERMASTER_URL (http://127.0.0.1:3000) and QUARTERMASTER_TOKEN
  --merge                      only adds and changes; without it, a stated section replaces the stored one
A document can also be a TrustGraph tool configuration, which is always merged.

--json prints JSON instead of text. Exit codes: 0 success; 1 an assertion failed, the document would be refused,
revisions differ, the log is not intact, or doctor found a problem; 2 wrong input, or no response; 3 apply opened a
request, which waits for a review.`;

/** Whether a command uses the installation's database. */
export function needsDatabase([name = ""]: readonly string[]): boolean {
  return commandNamed(name)?.needsDatabase ?? false;
}

/** Whether a command creates this machine's database when there is none. */
export function makesDatabase([name = ""]: readonly string[]): boolean {
  return commandNamed(name)?.makesDatabase ?? false;
}

/** Runs one command line and answers its exit code. Reports wrong input in a sentence, never as a stack. */
export async function runCommand(
  [name = "help", ...args]: readonly string[],
  output: Output,
  env: Environment = {},
): Promise<number> {
  if (["help", "--help", "-h"].includes(name)) {
    output.out(HELP);
    return 0;
  }
  const command = commandNamed(name);
  try {
    if (command === undefined)
      throw new CommandProblem(`There is no command \`${name}\`. Try \`npx quartermaster help\`.`);
    await requireDatabase(command);
    return await (
      await command.load()
    )(args, output, env);
  } catch (error) {
    if (!(error instanceof CommandProblem || error instanceof AppError)) throw error;
    output.error(error.message);
    return 2;
  } finally {
    if (command?.needsDatabase === true) await (await import("@/lib/store/db/database")).closeDatabase();
  }
}

/** Reports a missing setting or table before the command's first query fails on it. @throws CommandProblem */
async function requireDatabase(command: Command): Promise<void> {
  if (!command.needsDatabase) return;
  const { requireEnvironment, requireTables } = await import("@/bin/commands/require-tables");
  if (command.makesDatabase || command.looksItself) requireEnvironment();
  else await requireTables();
}

function commandNamed(name: string): Command | undefined {
  return Object.hasOwn(commands, name) ? commands[name] : undefined;
}
