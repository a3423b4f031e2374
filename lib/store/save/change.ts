import type { Role } from "@/lib/resources/permissions";
import type { Kind, Value } from "@/lib/store/config/values";

/** The author of a change: a signed-in person, a personal access token, or the system (command line, jobs, a provider). */
export interface Actor {
  readonly kind: "user" | "token" | "system";
  readonly name: string;
  readonly role: Role;
  /** Why they make the change, for a request that a second person answers. */
  readonly reason?: string;
  /**
   * Whether to refuse with `reason_needed` in place of a request without a reason. A function, because an import may go on
   * after its page was closed.
   */
  readonly wantsReasonPrompt?: () => boolean;
}

/** Secret columns of a row, such as hashes, as bytes or as text. */
export type Secret = Readonly<Record<string, Uint8Array | string | null>>;

/** A row to create. No row and no change row ever shows the `secret` columns. */
interface Create<K extends Kind> {
  readonly resource: K;
  readonly action: "create";
  readonly after: Value<K>;
  readonly secret?: Secret;
}

/** A row to replace with `after`. A different id in `after` renames the row. Without `secret`, the secret columns keep their values. */
interface Update<K extends Kind> {
  readonly resource: K;
  readonly action: "update";
  readonly id: string;
  readonly after: Value<K>;
  readonly secret?: Secret;
}

/** A row to delete. */
interface Delete<K extends Kind> {
  readonly resource: K;
  readonly action: "delete";
  readonly id: string;
}

/** One requested change of one row. */
export type Change = { [K in Kind]: Create<K> | Update<K> | Delete<K> }[Kind];

/** One change of one row as applied. `id` is the id before it; for a created row, the id after it. */
export interface AppliedChange {
  readonly resource: Kind;
  readonly action: Change["action"];
  readonly id: string;
  readonly before: Value<Kind> | null;
  readonly after: Value<Kind> | null;
  readonly secret: Secret;
}

/** The rows of a kind by id, as they would be after the changes. */
export type RowsAfter = (kind: Kind) => Promise<ReadonlyMap<string, object>>;
