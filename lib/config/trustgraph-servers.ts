import { slugOf } from "@/lib/config/trustgraph-names";
import type { TrustGraphRow } from "@/lib/config/trustgraph-rows";

/** What a row of an MCP server says about where its tool runs. */
export interface McpServer {
  /** The source that the row belongs to: rows of one address and one token share it. */
  readonly source: string;
  /** The server's own name of the tool. */
  readonly remote: string;
  /** Whether the source is made from this row. */
  readonly isFirst: boolean;
  /** The field that holds a token; `null` = the server asks for none. */
  readonly tokenField: string | null;
}

/** The servers by the key of their row. */
export type McpServers = ReadonlyMap<string, McpServer>;

/** Fields in which TrustGraph keeps a server's token. */
const TOKEN_FIELDS = ["auth-token", "auth_token", "auth", "token"];

/**
 * The MCP servers among the rows. A row of TrustGraph is one tool of a server: rows with the same address and the same
 * token become one source, so that a sync does not read every tool of the server once for each of them.
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
