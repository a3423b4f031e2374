import { env } from "@/lib/env";
import type { FieldProblem } from "@/lib/errors";
import type { AppliedChange } from "@/lib/store/save/change";

/**
 * Finds changed sources with a new command that is not on MCP_STDIO_ALLOW, so it could never start. A stored command that
 * the operator has since removed from the list stays, so that its source can still be changed.
 */
export function forbiddenCommands(
  changes: readonly AppliedChange[],
  pathOf: (change: AppliedChange, path: string) => string,
): FieldProblem[] {
  return changes.flatMap((change) => {
    const command = commandOf(change.resource, change.after);
    if (command === null || command === commandOf(change.resource, change.before)) return [];
    if (env.MCP_STDIO_ALLOW.includes(command)) return [];
    const message = "is not allowed on this installation: an operator can add the exact command to MCP_STDIO_ALLOW";
    return [{ path: pathOf(change, "command"), message }];
  });
}

function commandOf(resource: AppliedChange["resource"], value: object | null): string | null {
  if (resource !== "sources" || value === null) return null;
  return (value as { readonly command?: string | null }).command ?? null;
}
