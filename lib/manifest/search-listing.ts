import type { JsonObject, Tool } from "@/lib/access/model/configuration";
import type { ManifestEntry } from "@/lib/manifest/entries";

/** The entries of a search listing, which replace the caller's tools: find a tool, read it, call it. */
export const SEARCH_LISTING = {
  search: "search_tools",
  describe: "describe_tool",
  call: "call_tool",
} as const;

const MAX_RESULTS = 50;
/** The most characters of a query: every tool is searched for each of its words. */
const MAX_QUERY = 200;

const named = { type: "string", description: "The tool's name, from a result of search_tools." };

/** The three entries in the order of use. They are not in the catalogue, and no policy applies to them. */
export const searchListing: readonly ManifestEntry[] = [
  entry(
    SEARCH_LISTING.search,
    "Search tools",
    "Finds the tools that you may use, by words in their name, description, tags and category. Search before you say that something cannot be done.",
    {
      properties: {
        query: {
          type: "string",
          maxLength: MAX_QUERY,
          description: "Words to search for. Every word must match, so fewer words find more.",
        },
        limit: {
          type: "integer",
          minimum: 1,
          maximum: MAX_RESULTS,
          description: "The most results to return. The default is 10.",
        },
      },
      required: ["query"],
    },
  ),
  entry(
    SEARCH_LISTING.describe,
    "Describe a tool",
    "Gives a tool's full description and the JSON Schema of its arguments. Read it before you call the tool.",
    {
      properties: { name: named },
      required: ["name"],
    },
  ),
  entry(
    SEARCH_LISTING.call,
    "Call a tool",
    "Calls a tool with the arguments that its description asks for, and gives the tool's own answer.",
    {
      properties: { name: named, arguments: { type: "object", description: "The tool's arguments." } },
      required: ["name", "arguments"],
    },
  ),
];

interface Added {
  readonly name: string;
  readonly displayName: string;
  readonly description: string;
  readonly schema: JsonObject;
  readonly acts: boolean;
}

function entry(name: string, displayName: string, description: string, schema: JsonObject): ManifestEntry {
  return listingEntry({ name, displayName, description, schema, acts: name === SEARCH_LISTING.call });
}

/** A tool that a list adds to those of the catalogue. `acts`: it has side effects. */
export function listingEntry({ name, displayName, description, schema, acts }: Added): ManifestEntry {
  const tool: Tool = {
    id: `listing:${name}`,
    source: "listing",
    operation: name,
    name,
    displayName,
    description,
    guidance: null,
    category: null,
    version: null,
    inputSchema: { type: "object", ...schema, additionalProperties: false },
    outputSchema: null,
    hasSideEffects: acts,
    annotations: acts ? {} : { readOnlyHint: true, openWorldHint: false },
    path: null,
    method: null,
    tags: [],
    labels: [],
    groups: [],
    state: null,
    availableInStates: null,
    requiredCapabilities: [],
    enabled: true,
    status: "active",
    definitionHash: "",
  };
  return {
    resolved: { tool, exposedName: name, callable: true, groups: [], conditional: false },
    description,
    conditions: [],
  };
}
