import { CommandProblem, type Output } from "@/bin/commands/output";
import { readKeys } from "@/bin/commands/read-keys";
import { readOptions } from "@/bin/commands/read-options";
import { archiveFolder } from "@/lib/audit/archive/archive-storage";
import { readArchive } from "@/lib/audit/archive/read-archive";

/**
 * `verify-archive FOLDER --keys JWKS.json [--prove CALL] [--json]`: verifies an archived month against its seals, under
 * public keys from a file. With `--prove`, prints the proof of one of its calls. Needs neither the server nor its
 * database. Exits with 1 when the verification fails. Obtain the keys from another source than the archive.
 */
export async function verifyArchiveCommand(args: readonly string[], output: Output): Promise<number> {
  const { values, positionals } = readOptions(args, {
    keys: { type: "string" },
    prove: { type: "string" },
    json: { type: "boolean", default: false },
  });
  const [folder, ...more] = positionals;
  if (folder === undefined || more.length > 0 || values.keys === undefined)
    throw new CommandProblem(
      "Usage: npx quartermaster verify-archive ARCHIVE_DIR/2026-01/arc_… --keys JWKS.json (the folder with manifest.json)",
    );
  const keys = await readKeys(values.keys);
  const { manifest, problems, proof } = await readArchive(archiveFolder(folder), keys, values.prove);
  if (problems.length > 0)
    output.out(
      values.json ? JSON.stringify({ holds: false, problems }) : ["The archive is not intact.", ...problems].join("\n"),
    );
  else if (values.prove !== undefined) {
    if (proof === null) throw new CommandProblem(`${values.prove} is not in the archive of ${manifest.month}.`);
    output.out(JSON.stringify(proof, null, 2));
  } else if (values.json) output.out(JSON.stringify({ holds: true, problems }));
  else
    output.out(
      `The archive of ${manifest.month} is intact: ${manifest.rows} rows and ${manifest.bodies} bodies match their seals.`,
    );
  return problems.length === 0 ? 0 : 1;
}
