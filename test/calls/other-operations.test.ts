import { describe, expect, it } from "vitest";
import { toolInput, type ToolRow } from "@/lib/resources/tool";
import { reachesAnotherOperation } from "@/lib/calls/pipeline/other-operations";

const tool = (operation: string, path: string, method = "GET", names: readonly string[] = []): ToolRow => ({
  ...toolInput.parse({
    id: `api:${operation}`,
    description: "x",
    inputSchema: { type: "object" },
    run: {
      kind: "http",
      method,
      url: `https://api.example${path}`,
      parameters: names.map((name) => ({ property: name, name, in: "path" })),
    },
  }),
  definitionHash: "",
  revision: 1,
  createdAt: "",
  updatedAt: "",
});

const readUser = tool("read", "/users/{id}", "GET", ["id"]);
const readPart = tool("part", "/users/{id}/{part}", "GET", ["id", "part"]);
const tools = new Map(
  [
    readUser,
    readPart,
    tool("search", "/users/search"),
    tool("purge", "/users/purge", "DELETE"),
    tool("keys", "/users/{id}/keys", "GET", ["id"]),
  ].map((one) => [one.id, one]),
);

describe("a path argument", () => {
  it.each(["search", "SEARCH", "search;v=1", " search", "search.json", "Search.XML", "search."])(
    "%j that spells another operation's segment is refused",
    (id) => expect(reachesAnotherOperation(readUser, { id }, tools)).toBe(true),
  );

  it.each(["7", "purge", "searching", "keys", "sea", "search.txt", "search.json.x"])(
    "%j that reaches the tool's own operation passes",
    (id) => expect(reachesAnotherOperation(readUser, { id }, tools)).toBe(false),
  );

  it("is refused only in the place where the other operation has its word", () => {
    expect(reachesAnotherOperation(readPart, { id: "7", part: "keys" }, tools)).toBe(true);
    expect(reachesAnotherOperation(readPart, { id: "search", part: "x" }, tools)).toBe(false);
  });
});
