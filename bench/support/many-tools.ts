import { stateless } from "@/bench/support/mcp-load";
import { manifestFormat } from "@/lib/contracts/agents/agent-api";

/** A document to merge: tools of a new source with a schema of usual size, which everyone may use. */
export function manyTools(count: number): string {
  const property = { type: "string", description: "What the operation reads, in a sentence of usual length." };
  const properties = Object.fromEntries(Array.from({ length: 6 }, (_, at) => [`field_${at}`, property]));
  return JSON.stringify({
    apiVersion: "quartermaster/v1",
    sources: [{ name: "wide", kind: "http" }],
    tools: Array.from({ length: count }, (_, at) => ({
      id: `wide:operation_${at}`,
      description: `Reads record ${at} of the store, and says when it changed.`,
      inputSchema: { type: "object", properties, required: ["field_0"] },
      groups: ["helpers"],
      run: { kind: "http", method: "GET", url: "https://wide.example/" },
    })),
  });
}

/** Every request of an agent whose answer holds its list, or that reads all of it. */
export function listRequests(
  headers: Readonly<Record<string, string>>,
): readonly { readonly what: string; readonly path: string; readonly init: RequestInit }[] {
  const get = (what: string, query: string) => ({ what, path: `/api/agents/tools?${query}`, init: { headers } });
  const post = (what: string, path: string, body: object) => ({
    what,
    path,
    init: { method: "POST", headers, body: JSON.stringify(body) },
  });
  const words = { query: "record", limit: 5 };
  const { body, headers: typed } = stateless("", { method: "tools/list", params: {} }, headers);
  return [
    ...manifestFormat.options.map((format) => get(`the whole list, ${format}`, `format=${format}`)),
    get("a search", "search=record%20operation_19999"),
    get("a page of 1,000", "limit=1000"),
    post("a new session", "/api/agents/sessions", { group: ["*"] }),
    post("search_tools", "/api/agents/tools/call", { listing: "search", name: "search_tools", arguments: words }),
    { what: "tools/list", path: "/mcp", init: { method: "POST", headers: { ...typed }, body: body ?? "" } },
  ];
}
