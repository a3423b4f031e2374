import { readFile } from "node:fs/promises";
import { z } from "zod";
import { CommandProblem } from "@/bin/commands/output";
import type { TrustedKeys } from "@/lib/audit/seal/trusted-keys";
import { messageOf } from "@/lib/errors";
import { thumbprint } from "@/lib/store/keys/signing-keys";

/** A key set in the format of `/api/jwks.json`; other kinds of keys are ignored. */
const keySet = z.object({ keys: z.array(z.looseObject({ x: z.string().optional(), crv: z.string().optional() })) });

/** Reads public keys from a file. Computes their thumbprints, because the key ids in the file prove nothing. */
export async function readKeys(file: string): Promise<TrustedKeys> {
  const { keys } = await readAs(file, keySet, "a key set");
  return new Map(keys.flatMap(({ x, crv }) => (x !== undefined && crv === "Ed25519" ? [[thumbprint(x), x]] : [])));
}

/** Reads a JSON file and checks it with a schema. @throws CommandProblem naming the file and what is wrong with it */
export async function readAs<S extends z.ZodType>(file: string, schema: S, what: string): Promise<z.output<S>> {
  try {
    return schema.parse(JSON.parse(await readFile(file, "utf8")));
  } catch (error) {
    throw new CommandProblem(`${file} cannot be read as ${what}: ${reasonOf(error)}`);
  }
}

function reasonOf(error: unknown): string {
  if (error instanceof z.ZodError)
    return error.issues.map(({ path, message }) => `${path.join(".")}: ${message}`).join("; ");
  return messageOf(error);
}
