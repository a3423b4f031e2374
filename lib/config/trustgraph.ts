import { DEFAULT_GROUP } from "@/lib/access/configuration";
import type { DocumentProblem } from "@/lib/config/problems";
import { commonFields, complainAt, schemaWith, textAt, type CommonFields } from "@/lib/config/trustgraph-fields";
import { readRows, type TrustGraphRow } from "@/lib/config/trustgraph-rows";

/** Sections of a document as a TrustGraph configuration states them: only what it says, nothing by default. */
export interface StatedSections {
  readonly sources: readonly { readonly name: string; readonly kind: string; readonly url?: string }[];
  readonly tools: readonly StatedTool[];
  readonly groups: readonly { readonly name: string }[];
}

interface StatedTool extends CommonFields {
  readonly id: string;
  readonly name: string;
  readonly displayName?: string;
  readonly description: string;
  readonly inputSchema: object;
  readonly tags?: readonly string[];
}

/** What the rows say, or everything that is wrong with them. */
export type FromTrustGraph =
  | { readonly ok: true; readonly stated: StatedSections; readonly warnings: readonly DocumentProblem[] }
  | { readonly ok: false; readonly errors: readonly DocumentProblem[] };

/** The source of tools that TrustGraph runs itself: queries, completions, prompts. */
const SOURCE = "trustgraph";
/** Kinds whose one argument TrustGraph fixes in code. */
const FIXED: Readonly<Record<string, string>> = {
  "knowledge-query": "question",
  "structured-query": "question",
  "text-completion": "question",
};
const READ: readonly string[] =
  "name description type group state available_in_states applicable-states arguments mcp-tool mcp_tool_id url remote-name".split(
    " ",
  );

/** Everything that one conversion finds. */
class Findings {
  readonly errors: DocumentProblem[] = [];
  readonly warnings: DocumentProblem[] = [];
  readonly tools = new Map<string, { tool: StatedTool; row: TrustGraphRow }>();
  readonly sources = new Map<string, StatedSections["sources"][number]>();

  add(tool: StatedTool, row: TrustGraphRow): void {
    const twin = this.tools.get(tool.id);
    if (twin === undefined) this.tools.set(tool.id, { tool, row });
    else this.errors.push({ path: row.at, message: `becomes \`${tool.id}\`, as \`${twin.row.at}\` does: rename one` });
  }
}

/**
 * TrustGraph's rows as sections of a document (3-http): tools of TrustGraph's own under the source
 * `trustgraph`, an MCP server as a source with the tool that names it, and every group a tool names. Every
 * row is taken over, named as an error, or named as a warning.
 */
export function fromTrustGraph(value: unknown): FromTrustGraph {
  const { rows, errors, warnings } = readRows(value);
  const findings = new Findings();
  const servers = new Map(rows.filter(({ type }) => type === "mcp").map((row) => [row.key, row]));
  const named = new Set<string>();
  for (const row of rows)
    if (row.type === "tool") {
      const server = addTool(row, servers, findings);
      if (server !== undefined) named.add(server);
    }
  for (const row of servers.values()) addServer(row, named.has(row.key), findings);
  for (const row of rows) warnOfRest(row, findings);
  const wrong = [...errors, ...findings.errors];
  if (wrong.length > 0) return { ok: false, errors: wrong };
  return { ok: true, stated: sectionsOf(findings), warnings: [...warnings, ...findings.warnings] };
}

function sectionsOf({ tools, sources }: Findings): StatedSections {
  const stated = [...tools.values()].map(({ tool }) => tool);
  const groups = new Set(stated.flatMap((tool) => tool.groups ?? []));
  groups.delete(DEFAULT_GROUP);
  return { sources: [...sources.values()], tools: stated, groups: [...groups].map((name) => ({ name })) };
}

/** Adds the tool of a row; the key of the MCP server that it names, if it names one. */
function addTool(row: TrustGraphRow, servers: ReadonlyMap<string, TrustGraphRow>, findings: Findings) {
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
  if (server === undefined) {
    if (kind !== "mcp-tool") findings.sources.set(SOURCE, { name: SOURCE, kind: "http" });
    findings.add({ ...tool, id: `${SOURCE}:${operationOf(row.key)}` }, row);
    return undefined;
  }
  const remote = servers.get(server)?.value["remote-name"];
  const operation = operationOf(typeof remote === "string" && remote !== "" ? remote : server);
  findings.add({ ...tool, id: `${slugOf(server)}:${operation}` }, row);
  return server;
}

/** An MCP server is a source; a row that says what it does, where no tool row does, is a tool too. */
function addServer(row: TrustGraphRow, isNamed: boolean, findings: Findings): void {
  const complain = complainAt(row, findings.errors);
  const url = textAt(row, "url", complain);
  if (url === undefined) complain("url", "state the MCP server's address");
  const name = slugOf(row.key);
  if (findings.sources.has(name)) complain("", `becomes the source \`${name}\`, as another row does: rename one`);
  findings.sources.set(name, { name, kind: "mcp", ...(url !== undefined && { url }) });
  const remote = textAt(row, "remote-name", complain) ?? row.key;
  const description = textAt(row, "description", complain);
  const common = commonFields(row, complain);
  if (isNamed) return;
  if (description === undefined && Object.keys(common).length === 0) {
    findings.warnings.push({ path: row.at, message: `no tool names it: only the source \`${name}\` is made` });
    return;
  }
  const tool = {
    ...nameOf(row, textAt(row, "name", complain)),
    id: `${name}:${operationOf(remote)}`,
    description: description ?? `Calls \`${remote}\` of the MCP server ${row.key}.`,
    ...common,
    inputSchema: common.inputSchema ?? { type: "object" },
    tags: ["mcp-tool"],
  };
  findings.add(tool, row);
}

/** What a row holds beyond what is read: named, so that nobody thinks it came along. */
function warnOfRest(row: TrustGraphRow, { warnings }: Findings): void {
  for (const field of Object.keys(row.value)) {
    if (READ.includes(field)) continue;
    const secret = /token|secret|password|api[-_]?key/i.test(field);
    const message = secret
      ? "was not read: store it as a secret, and name that in the source's `auth`"
      : "has no place here: left out";
    warnings.push({ path: `${row.at}.${field}`, message });
  }
}

/** The exposed name, where the stated one can be one; a name for people is shown beside the key otherwise. */
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

/** A key as an operation: letters, digits, `_` and `-`. */
function operationOf(key: string): string {
  const plain = key.replace(/[^A-Za-z0-9_-]/g, "_").slice(0, 64);
  return /^[A-Za-z_]/.test(plain) ? plain : `_${plain}`.slice(0, 64);
}

/** A key as a source's name. */
function slugOf(key: string): string {
  const plain = key.replace(/[^A-Za-z0-9._-]/g, "-").slice(0, 64);
  return /^[A-Za-z0-9]/.test(plain) ? plain : `x${plain}`.slice(0, 64);
}
