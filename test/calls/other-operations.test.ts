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

const operations = { tools, unimported: new Map() };

describe("a path argument", () => {
  it.each(["search", "SEARCH", "search;v=1", " search", "search.json", "Search.XML", "search."])(
    "%j that spells another operation's segment is refused",
    (id) => expect(reachesAnotherOperation(readUser, { id }, operations)).toBe(true),
  );

  it.each(["7", "purge", "searching", "keys", "sea", "search.txt", "search.json.x"])(
    "%j that reaches the tool's own operation passes",
    (id) => expect(reachesAnotherOperation(readUser, { id }, operations)).toBe(false),
  );

  it("is refused only in the place where the other operation has its word", () => {
    expect(reachesAnotherOperation(readPart, { id: "7", part: "keys" }, operations)).toBe(true);
    expect(reachesAnotherOperation(readPart, { id: "search", part: "x" }, operations)).toBe(false);
  });

  it("cannot reach an operation of the document that was not imported", () => {
    const declined = { text: "DELETE https://api.example/users/all\nGET https://api.example/users/{id}/export" };
    const withDeclined = { tools, unimported: new Map([["api", declined]]) };
    expect(reachesAnotherOperation(readPart, { id: "7", part: "export" }, withDeclined)).toBe(true);
    expect(reachesAnotherOperation(readPart, { id: "7", part: "notes" }, withDeclined)).toBe(false);
    expect(reachesAnotherOperation(readUser, { id: "all" }, withDeclined)).toBe(false);
    const ofAnother = { tools, unimported: new Map([["other", declined]]) };
    expect(reachesAnotherOperation(readPart, { id: "7", part: "export" }, ofAnother)).toBe(false);
  });
});
