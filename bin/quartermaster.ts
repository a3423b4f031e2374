import { CommandProblem, type Output } from "@/bin/commands/output";

/** One command: what it prints, and 0 (fine), 1 (checked, and not as expected) or 2 (could not be done). */
interface Command {
  readonly usage: string;
  readonly needsDatabase: boolean;
  readonly load: () => Promise<(args: readonly string[], output: Output) => Promise<number>>;
}

const commands: Readonly<Record<string, Command>> = {
  resolve: {
    usage: "resolve CONFIG.yaml --claims CLAIMS.json   which tools a caller has, and why",
    needsDatabase: false,
    load: async () => (await import("@/bin/commands/resolve")).resolveCommand,
  },
  test: {
    usage: "test CONFIG.yaml                            runs the document's assertions",
    needsDatabase: false,
    load: async () => (await import("@/bin/commands/test")).testCommand,
  },
  token: {
    usage: "token create --role ROLE --name NAME        a personal access token, shown once",
    needsDatabase: true,
    load: async () => (await import("@/bin/commands/token")).tokenCommand,
  },
};

const HELP = `Quartermaster decides which tools an agent may see and call.

  npx quartermaster ${Object.values(commands)
    .map(({ usage }) => usage)
    .join("\n  npx quartermaster ")}
  npx quartermaster help                                        this text

resolve takes the caller's inputs:
  --claims FILE | JSON | -     claims as JSON; a file, the text itself, or standard input
  --persona NAME               the persona's capabilities, and its sample claims without --claims
  --group NAME                 requested group, repeatable; --group= requests none
  --state, --machine, --profile, --intent NAME, --confidence 0..1, --capability NAME (repeatable)
  --include-disabled           keeps disabled tools, marked
  --explain TOOL               every step's verdict on one tool, repeatable
  --now TIME                   ISO 8601; the present unless stated

--json prints JSON instead of text. Exit codes: 0 fine, 1 an assertion failed, 2 wrong input.`;

/** Whether a command works on the installation's database. */
export function needsDatabase([name = ""]: readonly string[]): boolean {
  return commandNamed(name)?.needsDatabase ?? false;
}

/** Runs one command line and answers its exit code; wrong input is said in a sentence, never a stack. */
export async function runCommand([name = "help", ...args]: readonly string[], output: Output): Promise<number> {
  if (["help", "--help", "-h"].includes(name)) {
    output.out(HELP);
    return 0;
  }
  const command = commandNamed(name);
  try {
    if (command === undefined)
      throw new CommandProblem(`There is no command \`${name}\`. Try \`npx quartermaster help\`.`);
    return await (
      await command.load()
    )(args, output);
  } catch (error) {
    if (!(error instanceof CommandProblem)) throw error;
    output.error(error.message);
    return 2;
  }
}

function commandNamed(name: string): Command | undefined {
  return Object.hasOwn(commands, name) ? commands[name] : undefined;
}
