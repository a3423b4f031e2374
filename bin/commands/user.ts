import { CommandProblem, type Output } from "@/bin/commands/output";
import { readOptions } from "@/bin/commands/read-options";
import { resetPassword } from "@/lib/auth/people/reset-password";
import { problemsOf } from "@/lib/config/problems";
import { AppError } from "@/lib/errors";
import { ROLES } from "@/lib/resources/permissions";
import { userInput } from "@/lib/resources/user";
import { findUserByEmail, isOpenIdEmail, users } from "@/lib/store/config/users";
import type { Actor } from "@/lib/store/save/write";

/** A person who can run this command with the database's settings counts as administrator. */
const CONSOLE: Actor = { kind: "system", name: "command line", role: "admin" };

/** Names of the options that differ from their field's name. */
const OPTIONS: Readonly<Record<string, string>> = { email: "EMAIL", displayName: "--display-name" };

/** `user password EMAIL` and `user create EMAIL --role ROLE`: each prints a new password once. */
export async function userCommand(args: readonly string[], output: Output): Promise<number> {
  const { values, positionals } = readOptions(args, {
    role: { type: "string" },
    name: { type: "string" },
    "display-name": { type: "string" },
    json: { type: "boolean", default: false },
  });
  const [verb, email, ...more] = positionals;
  const known = verb === "password" || verb === "create";
  if (!known || email === undefined || more.length > 0)
    throw new CommandProblem(
      "Usage: npx quartermaster user password EMAIL, or npx quartermaster user create EMAIL --role ROLE",
    );
  const { role, name, "display-name": displayName, json } = values;
  try {
    const made = verb === "password" ? await reset(email) : await create({ email, role, name, displayName });
    if (json) output.out(JSON.stringify({ email: made.email, role: made.role, password: made.password }));
    else {
      output.out(made.password);
      output.error(
        `${made.email} signs in with this password as ${made.role}${made.note}. The password is not shown again.`,
      );
    }
    return 0;
  } catch (error) {
    if (error instanceof AppError) throw new CommandProblem(sentencesOf(error));
    throw error;
  }
}

interface Made {
  readonly email: string;
  readonly role: string;
  readonly password: string;
  readonly note: string;
}

async function reset(email: string): Promise<Made> {
  const found = await findUserByEmail(email.trim());
  if (found === null && (await isOpenIdEmail(email.trim())))
    throw new CommandProblem(`\`${email}\` signs in with OpenID Connect and has no password here.`);
  if (found === null) throw new CommandProblem(`There is no user \`${email}\`.`);
  const password = await resetPassword(CONSOLE, found);
  if (password === null) throw new CommandProblem(`\`${email}\` was changed at the same time. Run the command again.`);
  const note = found.enabled ? ", and earlier sessions have ended" : ", once the account is enabled again";
  return { email: found.email, role: found.role, password, note };
}

async function create(options: {
  readonly email: string;
  readonly role: string | undefined;
  readonly name: string | undefined;
  readonly displayName: string | undefined;
}): Promise<Made> {
  if (options.role === undefined) throw new CommandProblem(`Set --role to one of ${ROLES.join(", ")}.`);
  const name = options.name ?? nameFrom(options.email);
  const input = userInput.safeParse({ ...options, name });
  if (!input.success)
    throw new CommandProblem(
      problemsOf(input.error, options)
        .map(({ path, message }) => `${OPTIONS[path] ?? `--${path}`}: ${message}`)
        .join("\n"),
    );
  return { ...(await users.create(CONSOLE, input.data)), note: "" };
}

/** The e-mail's part before the `@`, cut to the length of a name. */
function nameFrom(email: string): string {
  const local = email.trim().split("@")[0] ?? "";
  return local
    .replace(/[^A-Za-z0-9._-]+/g, "-")
    .replace(/^[^A-Za-z0-9]+/, "")
    .slice(0, 64);
}

function sentencesOf(error: AppError): string {
  return [
    error.message,
    ...error.errors.map(({ path, message }) => `${OPTIONS[path] ?? `--${path}`}: ${message}`),
  ].join("\n");
}
