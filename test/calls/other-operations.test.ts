import { describe, expect, it } from "vitest";
import { toolInput, type ToolRow } from "@/lib/resources/tool";
import { reachesAnotherOperation } from "@/lib/calls/pipeline/other-operations";

const tool = (
  operation: string,
  path: string,
  method = "GET",
  names: readonly string[] = [],
  allowReserved = false,
): ToolRow => ({
  ...toolInput.parse({
    id: `api:${operation}`,
    description: "x",
    inputSchema: { type: "object" },
    run: {
      kind: "http",
      method,
      url: `https://api.example${path}`,
      parameters: names.map((name) => ({ property: name, name, in: "path", allowReserved })),
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

  it("cannot reach an operation whose address has more in the same segment", () => {
    const job = tool("job", "/jobs/{id}", "POST", ["id"]);
    const format = tool("format", "/reports/{id}.{format}", "GET", ["id", "format"]);
    const more = [job, format, tool("cancel", "/jobs/{id}:cancel", "POST", ["id"]), tool("csv", "/reports/{id}.csv")];
    const all = { tools: new Map(more.map((one) => [one.id, one])), unimported: new Map() };
    const reaches = (one: ToolRow, args: Record<string, string>) => reachesAnotherOperation(one, args, all);
    for (const id of ["7:cancel", "7:CANCEL", "7:cancel;v=1"]) expect([id, reaches(job, { id })]).toEqual([id, true]);
    for (const id of ["7", "7:pause", "cancel"]) expect([id, reaches(job, { id })]).toEqual([id, false]);
    expect(reaches(format, { id: "7", format: "csv" })).toBe(true);
    expect(reaches(format, { id: "7", format: "pdf" })).toBe(false);
    // The more general operation does not make the special one unusable.
    expect(reaches(tool("csv", "/reports/{id}.csv", "GET", ["id"]), { id: "7" })).toBe(false);
  });

  it("cannot reach an operation whose address ends with a slash, or has more segments when it may contain one", () => {
    const file = tool("file", "/files/{path}", "GET", ["path"], true);
    const more = [file, tool("list", "/users/all/"), tool("keys", "/files/{id}/keys", "GET", ["id"])];
    const all = { tools: new Map(more.map((one) => [one.id, one])), unimported: new Map() };
    expect(reachesAnotherOperation(readUser, { id: "all" }, all)).toBe(true);
    expect(reachesAnotherOperation(file, { path: "7/keys" }, all)).toBe(true);
    expect(reachesAnotherOperation(file, { path: "7/notes" }, all)).toBe(false);
  });

  it("that may contain a slash cannot reach one, also after a tool of the same address that may not", () => {
    const [narrow, wide] = [false, true].map((isWide) =>
      tool(`file-${isWide}`, "/files/{path}", "GET", ["path"], isWide),
    );
    const more = [narrow!, wide!, tool("keys", "/files/{id}/keys", "GET", ["id"])];
    const all = { tools: new Map(more.map((one) => [one.id, one])), unimported: new Map() };
    expect(reachesAnotherOperation(narrow!, { path: "7" }, all)).toBe(false);
    expect(reachesAnotherOperation(wide!, { path: "7/keys" }, all)).toBe(true);
  });

  it("cannot reach an operation of the document that was not imported", () => {
    const declined = { text: "DELETE https://api.example/users/all\nGET https://api.example/users/{id}/export" };
    const withDeclined = { tools, unimported: new Map([["api", declined]]) };
    expect(reachesAnotherOperation(readPart, { id: "7", part: "export" }, withDeclined)).toBe(true);
    expect(reachesAnotherOperation(readPart, { id: "7", part: "notes" }, withDeclined)).toBe(false);
    expect(reachesAnotherOperation(readUser, { id: "all" }, withDeclined)).toBe(false);
    const ofAnother = { tools, unimported: new Map([["other", declined]]) };
    expect(reachesAnotherOperation(readPart, { id: "7", part: "export" }, ofAnother)).toBe(true);
    const elsewhere = { text: "GET https://other.example/users/{id}/export" };
    const ofAnotherHost = { tools, unimported: new Map([["other", elsewhere]]) };
    expect(reachesAnotherOperation(readPart, { id: "7", part: "export" }, ofAnotherHost)).toBe(false);
  });

  it("reads the catalogue and each list of declined operations once, however many operations are called", () => {
    const COUNT = 200;
    let reads = 0;
    const counted = Array.from({ length: COUNT }, (_, n) => {
      const one = tool(`read-${n}`, `/rooms-${n}/{id}`, "GET", ["id"]);
      const fixed = tool(`all-${n}`, `/rooms-${n}/all`);
      return [one, fixed].map((row) => ({
        ...row,
        get run() {
          return ((reads += 1), row.run);
        },
      }));
    }).flat();
    const text = Array.from({ length: COUNT }, (_, n) => `GET https://api.example/rooms-${n}/none`).join("\n");
    const declined = {
      get text() {
        return ((reads += 1), text);
      },
    };
    const all = { tools: new Map(counted.map((one) => [one.id, one])), unimported: new Map([["api", declined]]) };
    for (let n = 0; n < COUNT; n += 1) {
      const one = tool(`read-${n}`, `/rooms-${n}/{id}`, "GET", ["id"]);
      expect(reachesAnotherOperation(one, { id: "all" }, all)).toBe(true);
      expect(reachesAnotherOperation(one, { id: "none" }, all)).toBe(true);
      expect(reachesAnotherOperation(one, { id: "7" }, all)).toBe(false);
    }
    expect(reads).toBe(counted.length + 1);
  });
});
