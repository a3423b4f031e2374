import { CommandProblem, type Output } from "@/bin/commands/output";
import { readAs, readKeys } from "@/bin/commands/read-keys";
import { readOptions } from "@/bin/commands/read-options";
import { problemsOfProof } from "@/lib/audit/verify/proof";
import { executionProof } from "@/lib/contracts/log/seal";

/**
 * `verify-proof PROOF.json --keys JWKS.json [--json]`: verifies a downloaded proof under public keys from a file. Needs
 * neither the server nor its database. Exits with 1 when the proof fails. Get the keys from another source than the proof.
 */
export async function verifyProofCommand(args: readonly string[], output: Output): Promise<number> {
  const { values, positionals } = readOptions(args, {
    keys: { type: "string" },
    json: { type: "boolean", default: false },
  });
  const [file, ...more] = positionals;
  if (file === undefined || more.length > 0 || values.keys === undefined)
    throw new CommandProblem(
      "Usage: npx quartermaster verify-proof PROOF.json --keys JWKS.json (the keys from /api/jwks.json?use=seal)",
    );
  const proof = await readAs(file, executionProof, "a proof");
  const problems = problemsOfProof(proof, await readKeys(values.keys));
  if (values.json) output.out(JSON.stringify({ callId: proof.callId, holds: problems.length === 0, problems }));
  else if (problems.length > 0) output.out([`The proof of ${proof.callId} is not valid.`, ...problems].join("\n"));
  else
    output.out(
      [
        `The proof is valid. The sealed log contained:`,
        ...proof.records.map(({ record, seal }) => `seal ${seal.number} of ${seal.at}  ${record}`),
      ].join("\n"),
    );
  return problems.length === 0 ? 0 : 1;
}
