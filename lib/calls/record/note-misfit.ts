import { storedSentence } from "@/lib/audit/record/redact";
import { writeMisfit } from "@/lib/store/calls/output-misfits";
import { log } from "@/lib/telemetry/log";
import type { SchemaProblem } from "@/lib/calls/schemas/schema-problem";

const MAX_NOTED = 10_000;

/** Definitions whose misfit this process has written, so that such a tool costs one statement. */
const noted = new Set<string>();

/** Stores the first output problem of a tool's definition, for the findings. After a failed write, the next call does. */
export function noteMisfit(
  { id: toolId, definitionHash }: { readonly id: string; readonly definitionHash: string },
  problem: SchemaProblem | undefined,
  callId: string,
): void {
  const key = `${toolId} ${definitionHash}`;
  if (problem === undefined || noted.has(key)) return;
  if (noted.size >= MAX_NOTED) noted.clear();
  noted.add(key);
  const misfit = {
    toolId,
    definitionHash,
    pointer: storedSentence(problem.pointer, []),
    message: storedSentence(problem.message, []),
    callId,
  };
  writeMisfit(misfit).catch((error: unknown) => {
    noted.delete(key);
    log.warn({ err: error, tool: toolId }, "An answer that does not fit its schema could not be noted.");
  });
}
