import type { Configuration, Intent, Pause } from "@/lib/access/model/configuration";
import { compileInParts, type Index } from "@/lib/access/compile/compile";
import { AppError } from "@/lib/errors";
import { agentInput, type AgentRow } from "@/lib/resources/agent";
import type { ResourceName, Row } from "@/lib/resources/index";
import type { IssuerRow } from "@/lib/resources/issuer";
import { tokenKey } from "@/lib/contracts/people/revocation";
import { settingsInput, type SettingsInput } from "@/lib/resources/settings";
import type { SourceRow } from "@/lib/resources/source";
import type { ToolRow } from "@/lib/resources/tool";
import { inTurns, madeInTurns } from "@/lib/store/db/in-turns";
import type { Reading, StoredRows } from "@/lib/store/snapshot/load";
import type { Kind, Stored } from "@/lib/store/config/values";
import { readRow, tolerantGroup, tolerantPolicy, type RowProblem } from "@/lib/store/snapshot/tolerate";

/** The compiled configuration at one revision, with the rows that agent requests need as well. */
export interface Snapshot {
  readonly index: Index;
  readonly sources: ReadonlyMap<string, SourceRow>;
  readonly tools: ReadonlyMap<string, ToolRow>;
  readonly agents: ReadonlyMap<string, AgentRow>;
  readonly issuers: ReadonlyMap<string, IssuerRow>;
  /** The end of each revocation (ISO 8601), by `tokenKey`. */
  readonly revocations: ReadonlyMap<string, string>;
  readonly settings: SettingsInput;
  readonly revision: number;
  /** Stored rows that do not parse. None of them grants anything. */
  readonly problems: readonly RowProblem[];
}

/**
 * Compiles stored rows into a snapshot and reuses the unchanged parts of the `previous` index. A row that does not parse
 * becomes a problem and is left out, with exceptions that never widen access: a deny policy stays a deny, a group stays
 * empty, an agent stays disabled, and an intent has no groups.
 *
 * @throws AppError `config_unavailable` when the settings do not parse
 */
export async function toSnapshot({ revision, rows }: Reading, previous: Index | null = null): Promise<Snapshot> {
  const problems: RowProblem[] = [];
  const read = <R extends ResourceName & keyof StoredRows>(resource: R) => readAll(resource, rows[resource], problems);
  const settings = readSettings(rows.settings);
  const sources = await read("sources");
  const tools = await read("tools");
  const agents = new Map((await readAllOr("agents", rows.agents, problems, closedAgent)).map((row) => [row.name, row]));
  const issuers = await read("issuers");
  const configuration: Configuration = {
    revision,
    settings,
    sources: [...sources.values()],
    tools: [...tools.values()],
    groups: await readAllOr("groups", rows.groups, problems, tolerantGroup),
    policies: await readAllOr("policies", rows.policies, problems, tolerantPolicy),
    machines: [...(await read("machines")).values()],
    personas: [...(await read("personas")).values()],
    intents: await readAllOr("intents", rows.intents, problems, closedIntent),
    agents: [...agents.values()],
    issuers: [...issuers.values()],
    pauses: [...rows.pauses.values()].map((row) => tolerantPause(row as Stored<"pauses">)),
    driftAcceptances: [...rows["drift-acceptances"].values()] as Stored<"drift-acceptances">[],
  };
  return {
    index: naming(await madeInTurns(compileInParts(configuration, previous)), problems),
    sources,
    tools,
    agents,
    issuers,
    revocations: toRevocations(rows.revocations),
    settings,
    revision,
    problems,
  };
}

/** Adds the problems of rows to the index's own errors, so that every trace shows them. */
function naming(index: Index, problems: readonly RowProblem[]): Index {
  if (problems.length === 0) return index;
  const sentences = problems.map(({ resource, id, path, message }) => `${resource}[${id}].${path}: ${message}`);
  return { ...index, errors: [...sentences, ...index.errors] };
}

interface ReadRows<R extends ResourceName> {
  readonly rows: ReadonlyMap<string, Row<R>>;
  readonly problems: readonly RowProblem[];
}

/** Parsed kinds by their map. An unchanged kind keeps the same map, so it is parsed only once. */
const readBefore = new WeakMap<ReadonlyMap<string, Stored<Kind>>, ReadRows<ResourceName>>();

async function readAll<R extends ResourceName>(
  resource: R,
  stored: ReadonlyMap<string, Stored<Kind>>,
  problems: RowProblem[],
): Promise<ReadonlyMap<string, Row<R>>> {
  const read = (readBefore.get(stored) as ReadRows<R> | undefined) ?? (await readEach(resource, stored));
  readBefore.set(stored, read);
  problems.push(...read.problems);
  return read.rows;
}

async function readEach<R extends ResourceName>(
  resource: R,
  stored: ReadonlyMap<string, Stored<Kind>>,
): Promise<ReadRows<R>> {
  const rows = new Map<string, Row<R>>();
  const problems: RowProblem[] = [];
  for await (const [id, value] of inTurns(stored)) {
    const result = readRow(resource, id, value);
    if (result.row === null) problems.push(...result.problems);
    else rows.set(id, result.row);
  }
  return { rows, problems };
}

/** Like `readAll`, but `tolerate` replaces a row that does not parse with its safe remainder. */
async function readAllOr<R extends ResourceName, Remainder>(
  resource: R,
  stored: ReadonlyMap<string, Stored<Kind>>,
  problems: RowProblem[],
  tolerate: (stored: Readonly<Record<string, unknown>>) => Remainder | null,
): Promise<(Row<R> | Remainder)[]> {
  const rows: (Row<R> | Remainder)[] = [];
  for await (const [id, value] of inTurns(stored)) {
    const result = readRow(resource, id, value);
    problems.push(...result.problems);
    const row = result.row ?? tolerate(value as unknown as Record<string, unknown>);
    if (row !== null) rows.push(row);
  }
  return rows;
}

/** Keeps a broken agent as disabled. Without the row, its subject would be served as unregistered. */
function closedAgent(stored: Readonly<Record<string, unknown>>): AgentRow {
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
function closedIntent(stored: Readonly<Record<string, unknown>>): Intent {
  return { name: String(stored["name"]), description: "", groups: [] };
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

function toRevocations(stored: ReadonlyMap<string, Stored<Kind>>): ReadonlyMap<string, string> {
  const rows = [...stored.values()] as Stored<"revocations">[];
  return new Map(rows.map(({ issuer, jti, until }) => [tokenKey(issuer, jti), until]));
}
