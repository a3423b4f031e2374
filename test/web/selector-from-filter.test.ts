import { expect, test } from "vitest";
import { isProblem } from "@/lib/access/model/problem";
import { compileSelector, selectorFacts } from "@/lib/access/matching/selectors";
import { selectorFrom } from "@/components/views/rules/selector-from-filter";
import { selectorInput } from "@/lib/resources/parts/selector";
import { toolRow } from "@/lib/resources/tool";

// A group of what the list of tools is filtered by (docs/reference/interface.md).

const META = { revision: 1, createdAt: "2026-01-01T00:00:00Z", updatedAt: "2026-01-01T00:00:00Z" };

function tool(id: string, facts: object) {
  const [source, name] = id.split(":");
  const named = { id, source, operation: name, name, description: "Does it." };
  return toolRow.parse({ ...named, ...META, inputSchema: {}, definitionHash: "", ...facts });
}

const catalogue = [
  tool("pay:list", { method: "GET", tags: ["read", "a*"], labels: ["pii"] }),
  tool("pay:send", { method: "POST", tags: ["write"], labels: ["pii", "eu"] }),
  tool("pay.x:list", { method: "GET", tags: ["read"], labels: [] }),
  tool("payx:list", { method: "[x]", tags: ["abc"], labels: ["eu"] }),
];

function matched(filters: Record<string, string>): string[] {
  const { selector, left } = selectorFrom(filters);
  expect(left).toEqual([]);
  const compiled = compileSelector(selectorInput.parse(selector));
  if (isProblem(compiled)) throw new Error(compiled.problem);
  return catalogue.filter((one) => compiled.test(selectorFacts(one))).map(({ id }) => id);
}

test.each<[Record<string, string>, string[]]>([
  [{ source: "pay" }, ["pay:list", "pay:send"]],
  [{ source: "pay.x" }, ["pay.x:list"]],
  [{ method: "GET" }, ["pay:list", "pay.x:list"]],
  [{ method: "[x]" }, ["payx:list"]],
  [{ tag: "a*" }, ["pay:list"]],
  [{ label: "eu" }, ["pay:send", "payx:list"]],
  [{ source: "pay", tag: "read", label: "pii", method: "GET" }, ["pay:list"]],
])("the selector of %j matches what the list does", (filters, ids) => expect(matched(filters)).toEqual(ids));

test("a filter that no selector can express is named with the reason, and the selector has the others", () => {
  const { selector, left } = selectorFrom({ q: "refund", enabled: "true", source: "pay", group: null });
  expect(selector).toMatchObject({ source: "pay", name: null });
  expect(left.map(({ filter }) => filter)).toEqual(["Text", "Enabled"]);
  expect(selectorFrom({ q: "refund" })).toMatchObject({ selector: null, left: [{ filter: "Text" }] });
  expect(selectorFrom({})).toEqual({ selector: null, left: [] });
});

test("text that looks like a regular expression is none", () => {
  const { selector } = selectorFrom({ method: "regex:." });
  const compiled = compileSelector(selectorInput.parse(selector));
  expect(isProblem(compiled)).toBe(false);
  expect(matched({ method: "regex:." })).toEqual([]);
});
