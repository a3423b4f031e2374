import { CommandProblem, type Output } from "@/bin/commands/output";
import { readOptions } from "@/bin/commands/read-options";
import { ROLES } from "@/lib/resources/permissions";
import { tokenInput } from "@/lib/resources/token";
import { problemsOf } from "@/lib/config/problems";
import { tokens } from "@/lib/store/people/tokens";
import type { Actor } from "@/lib/store/save/write";

/** A person who can run this command with the database's settings counts as administrator. */
const CONSOLE: Actor = { kind: "system", name: "command line", role: "admin" };

/** `token create --role ROLE --name NAME [--expires TIME] [--json]`: creates a token and prints it once. */
export async function tokenCommand(args: readonly string[], output: Output): Promise<number> {
  const { values, positionals } = readOptions(args, {
    role: { type: "string" },
    name: { type: "string" },
    expires: { type: "string" },
    json: { type: "boolean", default: false },
  });
  if (positionals[0] !== "create" || positionals.length > 1)
    throw new CommandProblem("Usage: npx quartermaster token create --role admin --name ci");
  if (values.role === undefined) throw new CommandProblem(`Set --role to one of ${ROLES.join(", ")}.`);
  if (values.name === undefined) throw new CommandProblem("Set --name to the purpose of the token, such as `ci`.");
  const input = tokenInput.safeParse({ role: values.role, name: values.name, expiresAt: values.expires ?? null });
  if (!input.success)
    throw new CommandProblem(
      problemsOf(input.error, values)
        .map(({ path, message }) => `--${path}: ${message}`)
        .join("\n"),
    );
  const made = await tokens.create(CONSOLE, input.data);
  if (values.json)
    output.out(JSON.stringify({ name: made.name, role: made.role, expiresAt: made.expiresAt, token: made.token }));
  else {
    output.out(made.token);
    output.error(
      `Token \`${made.name}\` has the role ${made.role} until ${made.expiresAt}. The token is not shown again.`,
    );
  }
  return 0;
}
