import { DEFAULT_GROUP } from "@/lib/access/model/configuration";
import type { DocumentProblem } from "@/lib/config/problems";
import {
  argumentsLeftOut,
  commonFields,
  complainAt,
  schemaWith,
  textAt,
  type CommonFields,
  type Complain,
} from "@/lib/config/trustgraph-fields";
import { operationOf, slugOf, slugsOf } from "@/lib/config/trustgraph-names";
import { readRows, type TrustGraphRow } from "@/lib/config/trustgraph-rows";
import { maskProblems, maskRows } from "@/lib/config/trustgraph-secrets";
import { serversOf, type McpServers } from "@/lib/config/trustgraph-servers";
import { maskSecretShapes } from "@/lib/telemetry/secret-shapes";

/** Sections of a document that hold only what a TrustGraph configuration states, without defaults. */
interface StatedSections {
  readonly sources: readonly StatedSource[];
  readonly tools: readonly StatedTool[];
  readonly groups: readonly { readonly name: string }[];
}

/** Fields that apply only to rows that the import creates. On existing rows an admin decides. */
interface FreshFields {
  readonly sources: ReadonlyMap<string, object>;
  readonly tools: ReadonlyMap<string, object>;
}

interface StatedSource {
  readonly name: string;
  readonly kind: string;
  readonly url?: string;
}

interface StatedTool extends CommonFields {
  readonly id: string;
  readonly name: string;
  readonly displayName?: string;
  readonly description: string;
  readonly inputSchema: object;
  readonly tags?: readonly string[];
  readonly run?: object;
}

/** The rows' sections, or all their problems. */
type FromTrustGraph =
  | {
      readonly ok: true;
      readonly stated: StatedSections;
      readonly fresh: FreshFields;
      readonly warnings: readonly DocumentProblem[];
    }
  | { readonly ok: false; readonly errors: readonly DocumentProblem[] };

/** The source of tools that TrustGraph runs itself: queries, completions, prompts. */
const SOURCE = "trustgraph";
/** Kinds with a single argument that TrustGraph defines in code. */
const FIXED: Readonly<Record<string, string>> = {
  "knowledge-query": "question",
  "structured-query": "question",
  "text-completion": "question",
};
/** Fields that describe a tool, in rows of both types. */
const DESCRIBING = ["name", "description", "group", "state", "available_in_states", "applicable-states", "arguments"];

/** The results and problems of one conversion. */
class Findings {
  readonly errors: DocumentProblem[] = [];
  readonly warnings: DocumentProblem[] = [];
  readonly tools = new Map<string, { tool: StatedTool; row: TrustGraphRow; runs: string | null }>();
  readonly sources = new Map<string, StatedSource>();
  readonly freshSources = new Map<string, object>();
  readonly freshTools = new Map<string, object>();

  /** @param runs the tool of an MCP server that a call runs; `null` = none */
  add(tool: StatedTool, row: TrustGraphRow, fresh: object, runs: string | null = null): void {
    const twin = this.tools.get(tool.id);
    if (twin !== undefined && runs !== null && twin.runs === runs) {
      const { groups = [] } = tool;
      const lost = groups.length === 0 ? "" : ` with its groups ${groups.map((group) => `\`${group}\``).join(", ")}`;
      return this.warn(
        row,
        "",
        `runs the same tool as \`${twin.row.at}\`, which becomes \`${tool.id}\`: not imported${lost}`,
      );
    }
    if (twin !== undefined) {
      this.errors.push({ path: row.at, message: `becomes \`${tool.id}\`, as \`${twin.row.at}\` does: rename one` });
      return;
    }
    this.tools.set(tool.id, { tool, row, runs });
    this.freshTools.set(tool.id, fresh);
  }

  warn(row: TrustGraphRow, field: string, message: string): void {
    this.warnings.push({ path: field === "" ? row.at : `${row.at}.${field}`, message });
  }
}

/**
 * Converts TrustGraph's rows to sections of a document: MCP servers become sources with the tools that name them,
 * TrustGraph's own tools belong to the source `trustgraph`, and every named group is created.
 * Every row, and every field without a counterpart here, is converted or named in an error or a warning.
 */
export function fromTrustGraph(value: unknown): FromTrustGraph {
  const read = readRows(value);
  const { rows, ...secrets } = maskRows(read.rows);
  const errors = [...read.errors, ...secrets.errors];
  const warnings = [...read.warnings, ...secrets.warnings];
  const findings = new Findings();
  const servers = serversOf(rows);
  const named = new Map<string, TrustGraphRow>();
  for (const row of rows)
    if (row.type === "tool") {
      const server = addTool(row, servers, findings);
      if (server !== undefined) named.set(server, row);
    }
  for (const row of rows) if (row.type === "mcp") addServer(row, servers, named.get(row.key), findings);
  const wrong = [...errors, ...findings.errors];
  if (wrong.length > 0) return { ok: false, errors: maskProblems(wrong) };
  const stated = sectionsOf(findings);
  const fresh = { sources: findings.freshSources, tools: findings.freshTools };
  return { ok: true, stated, fresh, warnings: maskProblems([...warnings, ...findings.warnings]) };
}

/** The sections, with group names that are valid here. A warning names each group whose name changes. */
function sectionsOf(findings: Findings): StatedSections {
  const found = [...findings.tools.values()];
  const slugs = slugsOf(found.flatMap(({ tool }) => tool.groups ?? []));
  for (const { tool, row } of found)
    tool.groups?.forEach((group, at) => {
      if (slugs.get(group) !== group)
        findings.warn(row, `group[${at}]`, `\`${group}\` becomes the group \`${slugs.get(group)}\``);
    });
  const groups = new Set(slugs.values());
  groups.delete(DEFAULT_GROUP);
  return {
    sources: [...findings.sources.values()],
    tools: found.map(({ tool }) => ({
      ...tool,
      ...(tool.groups !== undefined && { groups: tool.groups.map((group) => slugs.get(group) ?? group) }),
    })),
    groups: [...groups].map((name) => ({ name })),
  };
}

/** Adds the tool of a row. Returns the key of the MCP server that it names, if any. */
function addTool(row: TrustGraphRow, servers: McpServers, findings: Findings): string | undefined {
  const complain = complainAt(row, findings.errors);
  const kind = textAt(row, "type", complain);
  const server = textAt(row, "mcp_tool_id", complain) ?? textAt(row, "mcp-tool", complain);
  if (kind === "mcp-tool" && server === undefined) complain("mcp-tool", "name the MCP server, by its row's key");
  const description = textAt(row, "description", complain);
  if (description === undefined) complain("description", "say what the tool does: the model reads this");
  const common = commonFields(row, complain);
  const tool = {
    ...nameOf(row, textAt(row, "name", complain)),
    description: description ?? "",
    ...common,
    inputSchema: common.inputSchema ?? usualSchema(kind),
    ...(kind !== undefined && { tags: [kind] }),
  };
  if (server !== undefined) {
    warnOfRest(row, [...DESCRIBING, "type", "mcp-tool", "mcp_tool_id"], findings);
    addMcpTool(row, server, tool, servers, findings);
    return server;
  }
  warnOfRest(row, [...DESCRIBING, "type", "url"], findings);
  if (kind !== "mcp-tool") addOwnTool(row, kind, tool, complain, findings);
  return undefined;
}

/** A tool on an MCP server, under its name on the server: a sync recognises the tool by that name. */
function addMcpTool(
  row: TrustGraphRow,
  server: string,
  tool: Omit<StatedTool, "id">,
  servers: McpServers,
  findings: Findings,
): void {
  const known = servers.get(server);
  const source = known?.source ?? slugOf(server);
  const remote = known?.remote ?? server;
  const id = `${source}:${operationOf(remote)}`;
  if (known !== undefined)
    // The server does not state its side effects, so a call may have any.
    return findings.add({ ...tool, id, run: { kind: "mcp", tool: remote } }, row, { hasSideEffects: true }, remote);
  findings.sources.set(source, { name: source, kind: "mcp" });
  findings.warn(
    row,
    "mcp-tool",
    `there is no row \`mcp[${server}]\`: imported disabled, until the source \`${source}\` has an address and is synchronised`,
  );
  const named = maskSecretShapes(server);
  const disabledReason = `imported without an address of the MCP server \`${named}\``.slice(0, 500);
  findings.add({ ...tool, id }, row, { enabled: false, disabledReason, hasSideEffects: true }, remote);
}

/** A tool that TrustGraph runs itself. With an address it becomes a request; without one it cannot run here. */
function addOwnTool(
  row: TrustGraphRow,
  kind: string | undefined,
  tool: Omit<StatedTool, "id">,
  complain: Complain,
  findings: Findings,
): void {
  findings.sources.set(SOURCE, { name: SOURCE, kind: "http" });
  const id = `${SOURCE}:${operationOf(row.key)}`;
  const url = textAt(row, "url", complain);
  if (url !== undefined) {
    const { properties = {} } = tool.inputSchema as { readonly properties?: object };
    const members = Object.keys(properties).map((property) => ({ property, name: property }));
    const run = { kind: "http", method: "POST", url, body: { properties: members } };
    findings.warn(row, "url", "calls are sent there as POST, with the arguments as a JSON object");
    return findings.add({ ...tool, id, run }, row, { hasSideEffects: true });
  }
  const what = kind === undefined ? "it states no type" : `\`${kind}\` runs inside of TrustGraph`;
  const missing =
    "imported disabled: it has no address. State a `url` in the row, or set the request of the tool after the import";
  findings.warn(row, "type", `${what}: ${missing}`);
  findings.add({ ...tool, id }, row, { enabled: false, disabledReason: "imported without an address" });
}

/** An MCP server becomes a source. A row that describes a tool which no tool row names becomes a tool too. */
function addServer(
  row: TrustGraphRow,
  servers: McpServers,
  namedBy: TrustGraphRow | undefined,
  findings: Findings,
): void {
  const complain = complainAt(row, findings.errors);
  const url = textAt(row, "url", complain);
  if (url === undefined) complain("url", "state the MCP server's address");
  textAt(row, "remote-name", complain);
  const known = servers.get(row.key);
  if (known === undefined) return;
  const { source: name, remote, isFirst, tokenField } = known;
  if (isFirst && findings.sources.has(name))
    complain("", `becomes the source \`${name}\`, as another row does: rename one`);
  if (isFirst) findings.sources.set(name, { name, kind: "mcp", ...(url !== undefined && { url }) });
  if (tokenField !== null) {
    const secret = `${name.slice(0, 58)}-token`;
    findings.freshSources.set(name, { auth: { mode: "bearer", secret } });
    findings.warn(
      row,
      tokenField,
      `was not imported: store it as the secret \`${secret}\`, which the source sends as a bearer token`,
    );
  }
  const read = ["url", "remote-name", ...(tokenField === null ? [] : [tokenField])];
  if (namedBy !== undefined) {
    for (const field of DESCRIBING)
      if (row.value[field] !== undefined)
        findings.warn(row, field, `not imported: \`${namedBy.at}\` already states it`);
    return warnOfRest(row, [...read, ...DESCRIBING], findings);
  }
  warnOfRest(row, [...read, ...DESCRIBING], findings);
  const description = textAt(row, "description", complain);
  const common = commonFields(row, complain);
  if (description === undefined && Object.keys(common).length === 0)
    return findings.warn(row, "", `no tool names this server: only the source \`${name}\` is created`);
  const tool = {
    ...nameOf(row, textAt(row, "name", complain)),
    id: `${name}:${operationOf(remote)}`,
    description: description ?? maskSecretShapes(`Calls \`${remote}\` of the MCP server ${row.key}.`),
    ...common,
    inputSchema: common.inputSchema ?? { type: "object" },
    tags: ["mcp-tool"],
    run: { kind: "mcp", tool: remote },
  };
  findings.add(tool, row, { hasSideEffects: true }, remote);
}

/** Warns of the fields of a row that are not imported, so that nobody expects them. */
function warnOfRest(row: TrustGraphRow, read: readonly string[], findings: Findings): void {
  for (const field of Object.keys(row.value)) {
    if (read.includes(field)) continue;
    const secret = /token|secret|password|api[-_]?key|auth/i.test(field);
    const message = secret
      ? "was not imported: store it as a secret, and name that in the source's `auth`"
      : "is not supported: not imported";
    findings.warn(row, field, message);
  }
  for (const path of argumentsLeftOut(row)) findings.warn(row, path, "is not supported: not imported");
}

/** The exposed name when the stated name is valid. Otherwise the key, with the stated name as display name. */
function nameOf(row: TrustGraphRow, stated: string | undefined): { name: string; displayName?: string } {
  if (stated === undefined) return { name: operationOf(row.key) };
  if (operationOf(stated) === stated) return { name: stated };
  return { name: operationOf(row.key), displayName: stated };
}

function usualSchema(kind: string | undefined): object {
  const argument = kind !== undefined && Object.hasOwn(FIXED, kind) ? FIXED[kind] : undefined;
  if (argument === undefined) return { type: "object" };
  return schemaWith(new Map([[argument, { type: "string" }]]));
}
