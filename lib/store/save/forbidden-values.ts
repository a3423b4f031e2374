import { env, isOutboundAllowed } from "@/lib/env";
import type { FieldProblem } from "@/lib/errors";
import { KEYS_IN_PLAIN_TEXT, mayServeKeys } from "@/lib/store/keys/key-address";
import { isPublicAddress, notPublic } from "@/lib/store/keys/public-address";
import type { AppliedChange } from "@/lib/store/save/change";

/** A field whose values the operator limits. */
interface LimitedField {
  readonly resource: AppliedChange["resource"];
  readonly field: string;
  /** Why this installation does not allow a value; `null` when it does. */
  readonly refusalOf: (value: string) => string | null;
}

/** Only a command in MCP_STDIO_ALLOW can start. */
export const SOURCE_COMMAND: LimitedField = {
  resource: "sources",
  field: "command",
  refusalOf: (command) =>
    env.MCP_STDIO_ALLOW.includes(command)
      ? null
      : "is not allowed on this installation: an operator can add the exact command to MCP_STDIO_ALLOW",
};

/** Keys are not fetched in plain text. */
export const KEY_ADDRESS: LimitedField = {
  resource: "issuers",
  field: "jwksUri",
  refusalOf: (address) => (mayServeKeys(address) ? null : KEYS_IN_PLAIN_TEXT),
};

/** A delivery to an internal address fails. It also checks what a host name resolves to then, which a save cannot know. */
export const RECEIVER_URL: LimitedField = {
  resource: "webhooks",
  field: "url",
  refusalOf: (url) => {
    const address = new URL(url);
    if (mayBePublic(address.hostname) || isOutboundAllowed(address)) return null;
    return notPublic(`${address.hostname}:${address.port || (address.protocol === "https:" ? "443" : "80")}`);
  },
};

/**
 * Finds changes that set a limited field to a new value that is not allowed. A stored value that the operator has withdrawn
 * since stays, so that its row can still be changed.
 */
export function forbiddenValues(
  { resource, field, refusalOf }: LimitedField,
  changes: readonly AppliedChange[],
  pathOf: (change: AppliedChange, path: string) => string,
): FieldProblem[] {
  const valueOf = (row: object | null) => (row as Readonly<Record<string, string | null>> | null)?.[field] ?? null;
  return changes.flatMap((change) => {
    const value = change.resource === resource ? valueOf(change.after) : null;
    const message = value === null || value === valueOf(change.before) ? null : refusalOf(value);
    return message === null ? [] : [{ path: pathOf(change, field), message }];
  });
}

/** Whether a URL's host is a public address, or a name other than `localhost`. */
function mayBePublic(hostname: string): boolean {
  if (hostname.startsWith("[")) return isPublicAddress(hostname.slice(1, -1));
  if (/^[\d.]+$/.test(hostname)) return isPublicAddress(hostname);
  return hostname !== "localhost" && !hostname.endsWith(".localhost");
}
