import { CommandProblem, type Output } from "@/bin/commands/output";
import { readOptions } from "@/bin/commands/read-options";
import { readCheckpointFile, readCheckpoints } from "@/lib/audit/seal/checkpoint";
import { verifyLog } from "@/lib/audit/verify/verify";
import type { SignedSeal, VerifyOutput } from "@/lib/contracts/log/seal";
import { messageOf } from "@/lib/errors";

const PROGRESS_MS = 2_000;

/**
 * `verify [--checkpoints FILE] [--json]`: verifies the whole log against its seals, and the seals against the checkpoint
 * store that the environment names, or a copy of it. Exits with 1 when a comparison fails.
 */
export async function verifyCommand(args: readonly string[], output: Output): Promise<number> {
  const { values, positionals } = readOptions(args, {
    checkpoints: { type: "string" },
    json: { type: "boolean", default: false },
  });
  if (positionals.length > 0) throw new CommandProblem("Usage: npx quartermaster verify [--checkpoints FILE]");
  const checkpoints = await checkpointsOf(values.checkpoints);
  const report = await verifyLog({ checkpoints, onProgress: progressOn(output) });
  output.out(values.json ? JSON.stringify(report) : inWords(report));
  return report.intact ? 0 : 1;
}

/** Prints progress every two seconds; a shorter verification prints none. */
function progressOn(output: Output): (done: number, all: number) => void {
  const start = performance.now();
  let printedAt = start;
  return (done, all) => {
    const now = performance.now();
    if (now - printedAt < PROGRESS_MS) return;
    printedAt = now;
    const perSecond = (1_000 * done) / (now - start);
    const left = Math.ceil((all - done) / perSecond);
    output.error(`${done} of ${all} rows verified, ${Math.round(perSecond)} a second; about ${left} s remain.`);
  };
}

async function checkpointsOf(file: string | undefined): Promise<readonly SignedSeal[]> {
  try {
    return file === undefined ? await readCheckpoints() : await readCheckpointFile(file);
  } catch (error) {
    throw new CommandProblem(`The checkpoints cannot be read: ${messageOf(error)}`);
  }
}

function inWords({
  intact,
  seals,
  rows,
  bodies,
  erased,
  dropped,
  unsealed,
  checkpoint,
  protection,
  findings,
  found,
}: VerifyOutput): string {
  const counted = `${rows} rows and ${bodies} bodies (${erased} erased) under ${seals} ${seals === 1 ? "seal" : "seals"}; ${unsealed} rows are not sealed yet.`;
  const newestCheckpoint =
    checkpoint === null
      ? "There is no checkpoint, so a rollback of the whole database would not be detected."
      : `The last checkpoint is of ${checkpoint.at}, seal ${checkpoint.number}.`;
  const writeProtection =
    protection === "role"
      ? "The app uses a role that can only add rows to the log."
      : "Only triggers keep the app from changing the log, because its database user cannot create roles.";
  const defects = findings.map(({ kind, seal, callId, detail }) =>
    [kind, seal === null ? "" : `seal ${seal}`, callId ?? "", detail].filter((part) => part !== "").join("  "),
  );
  const omitted = found > findings.length ? [`and ${found - findings.length} more`] : [];
  return [
    intact ? "The log is intact." : `The log is not intact: ${found} ${found === 1 ? "defect" : "defects"}.`,
    counted,
    ...dropped.map(
      ({ month, archive, at, by, rows: gone }) =>
        `${month}: ${gone} rows were dropped with export ${archive} on ${at} by ${by}.`,
    ),
    newestCheckpoint,
    writeProtection,
    ...defects,
    ...omitted,
  ].join("\n");
}
