import type { AccessGrant, Configuration, Intent, Pause } from "@/lib/access/model/configuration";
import type { FlowRule, Label } from "@/lib/access/model/flow";
import { observedInParts } from "@/lib/access/decide/observed";
import { digestInParts } from "@/lib/access/decide/entries";
import { compileInParts, type Index } from "@/lib/access/compile/compile";
import { AppError } from "@/lib/errors";
import { agentInput, type AgentRow } from "@/lib/resources/agent";
import type { ClientRow } from "@/lib/resources/client";
import type { Row } from "@/lib/resources/index";
import type { IssuerRow } from "@/lib/resources/issuer";
import { tokenKey } from "@/lib/contracts/people/revocation";
import { DECIDING, type Deciding } from "@/lib/resources/sections";
import { settingsInput, type SettingsInput } from "@/lib/resources/settings";
import type { SourceRow } from "@/lib/resources/source";
import type { ToolRow } from "@/lib/resources/tool";
import { inTurns, runInTurns } from "@/lib/store/db/in-turns";
import type { Reading, StoredRows } from "@/lib/store/snapshot/load";
import type { ConnectionValue, Kind, Stored, TokenKeyValue } from "@/lib/store/config/values";
import type { ConnectedPerson } from "@/lib/store/oauth/connected-people";
import type { Unimported } from "@/lib/store/snapshot/unimported";
import { readRow, tolerantGroup, tolerantPolicy, type RowProblem } from "@/lib/store/snapshot/tolerate";

/** What tokens of our own authorization server are checked against. */
export interface SignIn {
  /** Public keys (JWK) by `kid`. The same map until a key changes. */
  readonly keys: ReadonlyMap<string, TokenKeyValue>;
  /** By grant id. */
  readonly connections: ReadonlyMap<string, ConnectionValue>;
  /** Registered clients by `client_id`. */
  readonly clients: ReadonlyMap<string, ClientRow>;
  /** By the person's id. A person who may not sign in is absent. */
  readonly people: ReadonlyMap<string, ConnectedPerson>;
}

/** The compiled configuration at one revision, with the rows that agent requests need as well. */
export interface Snapshot {
  readonly index: Index;
  readonly sources: ReadonlyMap<string, SourceRow>;
  readonly tools: ReadonlyMap<string, ToolRow>;
  readonly unimported: Unimported;
  readonly agents: ReadonlyMap<string, AgentRow>;
  readonly issuers: ReadonlyMap<string, IssuerRow>;
  /** The end of each revocation (ISO 8601), by `tokenKey`. */
  readonly revocations: ReadonlyMap<string, string>;
  /** `null` = the authorization server is switched off. */
  readonly signIn: SignIn | null;
  readonly settings: SettingsInput;
  readonly revision: number;
  /** Stored rows that do not parse. None of them grants anything. */
  readonly problems: readonly RowProblem[];
}

/**
 * Compiles stored rows into a snapshot and reuses the unchanged parts of the `previous` index. A row that does not parse
 * becomes a problem, and only its safe remainder takes part.
 *
 * @throws AppError `config_unavailable` when the settings do not parse
 */
export async function toSnapshot(
  { revision, rows }: Reading,
  previous: Index | null = null,
  unimported: Unimported = new Map(),
  people: SignIn["people"] = new Map(),
): Promise<Snapshot> {
  const problems: RowProblem[] = [];
  const settings = readSettings(rows.settings);
  const read = await readSections(rows, problems);
  const sections = Object.entries(read).map(([section, found]) => [section, [...found.values()]]);
  const configuration: Configuration = {
    ...(Object.fromEntries(sections) as Pick<Configuration, Deciding>),
    revision,
    settings,
    pauses: [...rows.pauses.values()].map((row) => tolerantPause(row as Stored<"pauses">)),
    accessGrants: ([...rows["access-grants"].values()] as Stored<"access-grants">[]).map(toGrant),
    driftAcceptances: [...rows["drift-acceptances"].values()] as Stored<"drift-acceptances">[],
  };
  const { sources, tools, agents, issuers } = read;
  const index = await runInTurns(compileInParts(configuration, previous));
  await runInTurns(digestInParts(index));
  const named = withProblems(index, problems);
  await runInTurns(observedInParts(named));
  return {
    index: named,
    sources,
    tools,
    unimported,
    agents,
    issuers,
    revocations: toRevocations(rows.revocations),
    signIn: settings.clientSignIn.enabled ? toSignIn(rows, people) : null,
    settings,
    revision,
    problems,
  };
}

function toSignIn(rows: StoredRows, people: SignIn["people"]): SignIn {
  const keys = rows["token-keys"] as ReadonlyMap<string, object> as SignIn["keys"];
  const connections = rows.connections as ReadonlyMap<string, object> as SignIn["connections"];
  const clients = rows.clients as ReadonlyMap<string, object> as SignIn["clients"];
  return { keys, connections, clients, people };
}

/** Adds the problems of rows to the index's own errors, so that every trace shows them. */
function withProblems(index: Index, problems: readonly RowProblem[]): Index {
  if (problems.length === 0) return index;
  const sentences = problems.map(({ resource, id, path, message }) => `${resource}[${id}].${path}: ${message}`);
  return { ...index, errors: [...sentences, ...index.errors] };
}

type StoredFields = Readonly<Record<string, unknown>>;

/**
 * What is left of a row that does not parse; `null` = nothing. A remainder never widens access: a deny policy stays a
 * deny, a group stays empty, an agent stays disabled, an intent has no groups, and a flow rule hides every tool.
 */
const REMAINDERS = {
  sources: null,
  tools: null,
  groups: tolerantGroup,
  policies: tolerantPolicy,
  machines: null,
  personas: null,
  intents: closedIntent,
  labels: closedLabel,
  flows: closedFlowRule,
  agents: closedAgent,
  issuers: null,
} as const satisfies Readonly<Record<Deciding, ((stored: StoredFields) => object | null) | null>>;

type Remainder<S extends Deciding> = (typeof REMAINDERS)[S] extends (stored: StoredFields) => infer Row
  ? NonNullable<Row>
  : never;
type Sections = { readonly [S in Deciding]: ReadonlyMap<string, Row<S> | Remainder<S>> };

interface ReadRows {
  readonly rows: ReadonlyMap<string, object>;
  readonly problems: readonly RowProblem[];
}

/** Parsed sections by their map. An unchanged section keeps the same map, so it is parsed only once. */
const readBefore = new WeakMap<ReadonlyMap<string, Stored<Kind>>, ReadRows>();

async function readSections(stored: StoredRows, problems: RowProblem[]): Promise<Sections> {
  const sections: Partial<Record<Deciding, ReadonlyMap<string, object>>> = {};
  for (const section of DECIDING) {
    const read = readBefore.get(stored[section]) ?? (await readSection(section, stored[section]));
    readBefore.set(stored[section], read);
    problems.push(...read.problems);
    sections[section] = read.rows;
  }
  return sections as Sections;
}

async function readSection(section: Deciding, stored: ReadonlyMap<string, Stored<Kind>>): Promise<ReadRows> {
  const rows = new Map<string, object>();
  const problems: RowProblem[] = [];
  for await (const [id, value] of inTurns(stored)) {
    const result = readRow(section, id, value);
    problems.push(...result.problems);
    const row = result.row ?? REMAINDERS[section]?.(value as unknown as StoredFields) ?? null;
    if (row !== null) rows.set(id, row);
  }
  return { rows, problems };
}

/** Keeps a broken agent as disabled. Without the row, its subject would be served as unregistered. */
function closedAgent(stored: StoredFields): AgentRow {
  const text = (column: string) => (typeof stored[column] === "string" ? stored[column] : null);
  const closed = agentInput.parse({ name: "closed", enabled: false });
  const at = new Date(0).toISOString();
  return {
    ...closed,
    name: text("name") ?? "",
    issuer: text("issuer"),
    subject: text("subject"),
    revision: 0,
    createdAt: at,
    updatedAt: at,
  };
}

/** Keeps a broken intent without groups. An unknown intent would route to everything. */
function closedIntent(stored: StoredFields): Intent {
  return { name: String(stored["name"]), description: "", groups: [] };
}

/** Keeps a broken label on the caller and without an end, the strictest reading. */
function closedLabel({ name }: StoredFields): Label {
  return { name: String(name), description: "", scope: "caller", holdMinutes: null };
}

/** Keeps a broken flow rule for the labels that it names, and lets it hide every tool. Without labels it always applies. */
function closedFlowRule({ name, when }: StoredFields): FlowRule {
  const labels = Array.isArray(when) && when.every((label) => typeof label === "string") ? (when as string[]) : [];
  return {
    name: String(name),
    description: "",
    active: true,
    mode: "enforce",
    when: labels,
    restrict: [{ is: null, tool: null, selector: null }],
    effect: "hide",
  };
}

function readSettings(stored: ReadonlyMap<string, Stored<Kind>>): SettingsInput {
  const row = stored.get("settings") as Stored<"settings"> | undefined;
  const result = settingsInput.safeParse(row === undefined ? {} : row.value);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  const message = `The stored settings do not parse (${issue?.path.join(".")}: ${issue?.message}); save them again.`;
  throw new AppError("config_unavailable", message, { cause: result.error });
}

/** A pause with an unknown scope pauses everything, the safe reading. */
function tolerantPause(row: Stored<"pauses">): Pause {
  const isKnown = (row.scope === "source" || row.scope === "agent") && row.target !== null;
  return isKnown ? row : { ...row, scope: "all", target: null };
}

function toGrant({ name, policy, tool, issuer, subject, client, from, until }: Stored<"access-grants">): AccessGrant {
  return { id: name, policy, tool, issuer, subject, client, from, until };
}

function toRevocations(stored: ReadonlyMap<string, Stored<Kind>>): ReadonlyMap<string, string> {
  const rows = [...stored.values()] as Stored<"revocations">[];
  return new Map(rows.map(({ issuer, jti, until }) => [tokenKey(issuer, jti), until]));
}
