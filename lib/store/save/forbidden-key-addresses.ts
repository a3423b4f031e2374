import type { FieldProblem } from "@/lib/errors";
import { KEYS_IN_PLAIN_TEXT, mayServeKeys } from "@/lib/store/keys/key-address";
import type { AppliedChange } from "@/lib/store/save/change";

/**
 * Issuers among the changes with a new key address in plain text. A stored address that the operator has withdrawn since
 * stays, so that its issuer can still be changed: its keys are not fetched.
 */
export function forbiddenKeyAddresses(
  changes: readonly AppliedChange[],
  pathOf: (change: AppliedChange, path: string) => string,
): FieldProblem[] {
  return changes.flatMap((change) => {
    const address = addressOf(change.resource, change.after);
    if (address === null || address === addressOf(change.resource, change.before) || mayServeKeys(address)) return [];
    return [{ path: pathOf(change, "jwksUri"), message: KEYS_IN_PLAIN_TEXT }];
  });
}

function addressOf(resource: AppliedChange["resource"], value: object | null): string | null {
  if (resource !== "issuers" || value === null) return null;
  return (value as { readonly jwksUri?: string | null }).jwksUri ?? null;
}
