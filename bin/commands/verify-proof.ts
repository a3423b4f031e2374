import { readFile } from "node:fs/promises";
import { z } from "zod";
import { CommandProblem, type Output } from "@/bin/commands/output";
import { readOptions } from "@/bin/commands/read-options";
import { problemsOfProof } from "@/lib/audit/proof";
import { executionProof } from "@/lib/resources/seal";
import { thumbprint } from "@/lib/store/signing-keys";

/** A key set as `/api/jwks.json` answers it; keys of other kinds are none of ours. */
const keySet = z.object({ keys: z.array(z.looseObject({ x: z.string().optional(), crv: z.string().optional() })) });

/**
 * `verify-proof PROOF.json --keys JWKS.json [--json]`: whether a proof that was downloaded holds under public keys that
 * were got some other way. Needs neither the server nor its database. Answers 1 when it does not.
 */
export async function verifyProofCommand(args: readonly string[], output: Output): Promise<number> {
  const { values, positionals } = readOptions(args, {
    keys: { type: "string" },
    json: { type: "boolean", default: false },
  });
  const [file, ...more] = positionals;
  if (file === undefined || more.length > 0 || values.keys === undefined)
    throw new CommandProblem(
      "Write `npx quartermaster verify-proof PROOF.json --keys JWKS.json`: the keys are what /api/jwks.json answers.",
    );
  const proof = await read(file, executionProof, "a proof");
  const { keys } = await read(values.keys, keySet, "a key set");
  // A thumbprint is made here: what a file says its key is called proves nothing.
  const trusted = new Map(
    keys.flatMap(({ x, crv }) => (x !== undefined && crv === "Ed25519" ? [[thumbprint(x), x]] : [])),
  );
  const problems = problemsOfProof(proof, trusted);
  if (values.json) output.out(JSON.stringify({ callId: proof.callId, holds: problems.length === 0, problems }));
  else if (problems.length > 0) output.out([`The proof of ${proof.callId} does not hold.`, ...problems].join("\n"));
  else
    output.out(
      [
        `The log held this when it was sealed:`,
        ...proof.records.map(({ record, seal }) => `seal ${seal.number} of ${seal.at}  ${record}`),
      ].join("\n"),
    );
  return problems.length === 0 ? 0 : 1;
}

async function read<S extends z.ZodType>(file: string, schema: S, what: string): Promise<z.output<S>> {
  try {
    return schema.parse(JSON.parse(await readFile(file, "utf8")));
  } catch (error) {
    throw new CommandProblem(`${file} cannot be read as ${what}: ${said(error)}`);
  }
}

function said(error: unknown): string {
  if (error instanceof z.ZodError)
    return error.issues.map(({ path, message }) => `${path.join(".")}: ${message}`).join("; ");
  return error instanceof Error ? error.message : String(error);
}
