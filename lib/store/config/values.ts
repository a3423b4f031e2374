import type { AccessGrant, DriftAcceptance, JsonObject, Pause } from "@/lib/access/model/configuration";
import type { DriftItem } from "@/lib/contracts/sources/drift";
import type { Input, ResourceName, Row } from "@/lib/resources/index";
import type { KINDS } from "@/lib/resources/kinds";
import type { SettingsInput } from "@/lib/resources/settings";
import type { ToolInput } from "@/lib/resources/tool";

/** The metadata of every stored row. Times are ISO 8601. */
interface Meta {
  readonly revision: number;
  readonly createdAt: string;
  readonly updatedAt: string;
}

/** A stored pause of all calls, of one source or of one agent. */
interface PauseValue extends Pause {
  /** `all`, `source:NAME` or `agent:NAME`. */
  readonly name: string;
  readonly by: string;
}

/** A stored acceptance of a profile drift; `name` is `PROFILE/TOOL`. */
interface DriftAcceptanceValue extends DriftAcceptance {
  readonly name: string;
  readonly by: string;
}

/** A stored access grant; `name` is the id of its access request. */
export interface AccessGrantValue extends Omit<AccessGrant, "id"> {
  readonly name: string;
  readonly by: string;
  readonly endedBy: string | null;
}

/** A stored difference between a source and the catalogue; `id` is the tool's. */
export interface DriftValue {
  readonly id: string;
  readonly source: string;
  readonly kind: DriftItem["kind"];
  readonly severity: DriftItem["severity"];
  /** ISO 8601: when the difference was first found. */
  readonly since: string;
  /** The tool as the source describes it; `null` = the source no longer has it. */
  readonly proposed: ToolInput | null;
  /** The person who decided to keep the tool in quarantine. */
  readonly rejectedBy: string | null;
  /** Whether a person had put the tool into quarantine before its source changed it. */
  readonly heldByHand: boolean;
}

/** A stored revocation of a token; `name` is the SHA-256 (hex) of `iss` and `jti`. */
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

/** A stored secret without its value. */
interface SecretValue {
  readonly name: string;
  readonly origins: readonly string[];
  /** ISO 8601. When only the value changes, this field makes it a change. */
  readonly setAt: string;
}

/** A stored connection: a person's consent that a client acts as an agent. `id` is the grant id in its tokens. */
export interface ConnectionValue {
  readonly id: string;
  /** The person's id. */
  readonly person: string;
  /** The OAuth `client_id`. */
  readonly client: string;
  readonly clientName: string;
  readonly agent: string;
  readonly scopes: readonly string[];
}

/** A stored key that signs our access tokens, without its private part; `id` is its `kid`. */
export interface TokenKeyValue {
  readonly id: string;
  readonly publicKey: JsonObject;
}

/** A stored erasure of a caller's bodies: the caller, the time span and the counts. */
interface ErasureValue {
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

/** A stored month of the log that was dropped; `name` is the month. */
interface DroppedMonthValue {
  readonly name: string;
  /** The archive that holds its rows. */
  readonly archive: string;
  /** ISO 8601. */
  readonly at: string;
  readonly rows: number;
  readonly by: string;
  readonly keyId: string;
  readonly signature: string;
}

/** A resource's stored value: its input. A resource with secret columns is stored as its row. */
type ResourceValue<R extends ResourceName> = (typeof KINDS)[R]["secret"] extends readonly []
  ? Input<R>
  : Omit<Row<R>, keyof Meta | (typeof KINDS)[R]["derived"][number]>;

interface OtherValues {
  settings: { readonly name: "settings"; readonly value: SettingsInput };
  pauses: PauseValue;
  drift: DriftValue;
  "drift-acceptances": DriftAcceptanceValue;
  "access-grants": AccessGrantValue;
  revocations: RevocationValue;
  secrets: SecretValue;
  connections: ConnectionValue;
  "token-keys": TokenKeyValue;
  erasures: ErasureValue;
  "dropped-months": DroppedMonthValue;
}

/** The stored value of each kind, without metadata. */
type Values = { [R in ResourceName]: ResourceValue<R> } & OtherValues;

/** Every kind whose changes create a revision: the resources, and the others below. */
export type Kind = keyof Values;
/** A kind's value. */
export type Value<K extends Kind> = Values[K];
/** A stored value with its revision and times. */
export type Stored<K extends Kind> = Value<K> & Meta;
