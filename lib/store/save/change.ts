import type { Role } from "@/lib/resources/permissions";
import type { Kind, Value } from "@/lib/store/config/values";

/** Who changes something: a signed-in person, a personal access token, or the program itself. */
export interface Actor {
  readonly kind: "user" | "token" | "system";
  readonly name: string;
  readonly role: Role;
}

/** Columns that a row has and nobody sees: hashes, as bytes or as text. */
export type Secret = Readonly<Record<string, Uint8Array | string | null>>;

/** A row to be made. `secret`: columns that no row and no change row ever shows (hashes). */
export interface Create<K extends Kind> {
  readonly resource: K;
  readonly action: "create";
  readonly after: Value<K>;
  readonly secret?: Secret;
}

/** A row to become `after`, whole; another id in it renames the row. A `secret` left out stays what it was. */
export interface Update<K extends Kind> {
  readonly resource: K;
  readonly action: "update";
  readonly id: string;
  readonly after: Value<K>;
  readonly secret?: Secret;
}

/** A row to go. */
export interface Delete<K extends Kind> {
  readonly resource: K;
  readonly action: "delete";
  readonly id: string;
}

/** One change of one row, as asked for. */
export type Change = { [K in Kind]: Create<K> | Update<K> | Delete<K> }[Kind];

/** One change of one row, as made. `id` is the id before it (after it, when the row was created). */
export interface AppliedChange {
  readonly resource: Kind;
  readonly action: Change["action"];
  readonly id: string;
  readonly before: Value<Kind> | null;
  readonly after: Value<Kind> | null;
  readonly secret: Secret;
}
