import type { DriftItem } from "@/lib/contracts/sources/drift";
import type { Input, ResourceName, Row } from "@/lib/resources/index";
import type { SettingsInput } from "@/lib/resources/settings";
import type { ToolInput } from "@/lib/resources/tool";

/** What every stored row has besides its own fields; times are ISO 8601. */
interface Meta {
  readonly revision: number;
  readonly createdAt: string;
  readonly updatedAt: string;
}

/** The stop-all switch, or the same for one source or agent, as stored. */
export interface PauseValue {
  /** `all`, `source:NAME` or `agent:NAME`. */
  readonly name: string;
  readonly scope: "all" | "source" | "agent";
  readonly target: string | null;
  readonly reason: string;
  readonly by: string;
}

/** An accepted profile drift, as stored; `name` is `PROFILE/TOOL`. */
export interface DriftAcceptanceValue {
  readonly name: string;
  readonly profile: string;
  readonly tool: string;
  readonly definitionHash: string;
  readonly by: string;
}

/** What a source says otherwise than the catalogue, as stored; `id` is the tool's. */
export interface DriftValue {
  readonly id: string;
  readonly source: string;
  readonly kind: DriftItem["kind"];
  readonly severity: DriftItem["severity"];
  /** ISO 8601: when the source was first heard to say so. */
  readonly since: string;
  /** The tool as the source describes it; `null` = gone. */
  readonly proposed: ToolInput | null;
  /** Who decided to keep the tool in quarantine. */
  readonly rejectedBy: string | null;
  /** Whether a person had put the tool into quarantine before its source changed it. */
  readonly heldByHand: boolean;
}

/** A token that is not accepted any more, as stored; `name` is the SHA-256 (hex) of `iss` and `jti`. */
export interface RevocationValue {
  readonly name: string;
  /** The token's `iss`, not the name of the issuer's row. */
  readonly issuer: string;
  readonly jti: string;
  /** ISO 8601. */
  readonly until: string;
  readonly by: string;
  readonly reason: string;
}

/** A secret, as stored, without what it is. */
export interface SecretValue {
  readonly name: string;
  readonly origins: readonly string[];
  /** ISO 8601; a new value under an old name is a change by this alone. */
  readonly setAt: string;
}

/** An erasure of a caller's bodies, as stored: whose, of which time, and how much. */
export interface ErasureValue {
  readonly name: string;
  readonly issuer: string | null;
  readonly subject: string | null;
  readonly agent: string | null;
  /** ISO 8601: `from <= at < to`. */
  readonly from: string | null;
  readonly to: string;
  readonly calls: number;
  readonly bodies: number;
  readonly claims: number;
  readonly sessions: number;
  readonly by: string;
}

/** A month of the log that was dropped, as stored; `name` is the month. */
export interface DroppedMonthValue {
  readonly name: string;
  /** The archive that has its rows. */
  readonly archive: string;
  /** ISO 8601. */
  readonly at: string;
  readonly rows: number;
  readonly by: string;
  readonly keyId: string;
  readonly signature: string;
}

/** What is kept of each kind without meta: a resource's input, or for keys, tokens, users and webhooks the row that input became. */
export interface Values extends Omit<{ [R in ResourceName]: Input<R> }, "api-keys" | "tokens" | "users" | "webhooks"> {
  "api-keys": Omit<Row<"api-keys">, keyof Meta | "lastUsedAt">;
  tokens: Omit<Row<"tokens">, keyof Meta | "lastUsedAt">;
  users: Omit<Row<"users">, keyof Meta | "lastSignInAt">;
  webhooks: Omit<Row<"webhooks">, keyof Meta>;
  settings: { readonly name: "settings"; readonly value: SettingsInput };
  pauses: PauseValue;
  drift: DriftValue;
  "drift-acceptances": DriftAcceptanceValue;
  revocations: RevocationValue;
  secrets: SecretValue;
  erasures: ErasureValue;
  "dropped-months": DroppedMonthValue;
}

/** Everything whose change is a revision: the resources and the eight things that are no resource. */
export type Kind = keyof Values;
/** A kind's value. */
export type Value<K extends Kind> = Values[K];
/** A stored value with its revision and times. */
export type Stored<K extends Kind> = Value<K> & Meta;
