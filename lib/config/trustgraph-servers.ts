import { slugOf } from "@/lib/config/trustgraph-names";
import type { TrustGraphRow } from "@/lib/config/trustgraph-rows";

/** The server and name of an MCP row's tool. */
interface McpServer {
  /** The row's source: rows with the same address and token share a source. */
  readonly source: string;
  /** The tool's name on the server. */
  readonly remote: string;
  /** Whether this row creates the source. */
  readonly isFirst: boolean;
  /** The field that holds a token; `null` = the server needs none. */
  readonly tokenField: string | null;
}

/** The servers by the key of their row. */
export type McpServers = ReadonlyMap<string, McpServer>;

/** Fields in which TrustGraph keeps a server's token. */
const TOKEN_FIELDS = ["auth-token", "auth_token", "auth", "token"];

/**
 * The MCP servers among the rows. A TrustGraph row is one tool of a server. Rows with the same address and token become
 * one source: otherwise a sync would read all tools of the server once per row.
 */
export function serversOf(rows: readonly TrustGraphRow[]): McpServers {
  const sources = new Map<string, string>();
  return new Map(
    rows.flatMap((row): [string, McpServer][] => {
      if (row.type !== "mcp") return [];
      const { url, "remote-name": remote } = row.value;
      const tokenField = TOKEN_FIELDS.find((field) => isStated(row.value[field])) ?? null;
      const address = JSON.stringify([url, tokenField === null ? null : row.value[tokenField]]);
      const known = typeof url === "string" ? sources.get(address) : undefined;
      const source = known ?? slugOf(row.key);
      sources.set(address, source);
      return [
        [
          row.key,
          {
            source,
            remote: typeof remote === "string" && remote !== "" ? remote : row.key,
            isFirst: known === undefined,
            tokenField,
          },
        ],
      ];
    }),
  );
}

function isStated(value: unknown): boolean {
  return value !== undefined && value !== null && value !== "";
}
