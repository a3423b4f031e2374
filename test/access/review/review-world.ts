import { compile, type Index } from "@/lib/access/compile/compile";
import type { Configuration } from "@/lib/access/model/configuration";
import { atOnce } from "@/lib/access/model/parts";
import { withHash } from "@/lib/config/definition-hash";
import { judgeChanges, type ReviewedChange } from "@/lib/config/review/judge";
import type { Verdict } from "@/lib/contracts/changes/verdict";
import { resources } from "@/lib/resources/index";
import type { ResourceName } from "@/lib/resources/kinds";
import { settingsInput } from "@/lib/resources/settings";
import type { ToolInput } from "@/lib/resources/tool";
import { EMPTY_CONFIGURATION } from "@/test/support/empty-configuration";

/** 2026-03-31T12:00:00Z. */
export const NOW = Date.UTC(2026, 2, 31, 12);

/** A row as the store has it: parsed, with every default. */
export function row(resource: ResourceName, input: object): object {
  return resources[resource].input.parse(input) as object;
}

const SOURCES = ["crm", "billing", "wiki"];
const OPERATIONS = ["list", "read", "create", "update", "remove", "search"];
const DEPARTMENTS = ["sales", "support", "finance", "legal", "hr"];

const policy = (name: string, department: string, groups: readonly string[], more: object = {}) =>
  row("policies", {
    name,
    matchers: [{ claim: "department", operator: "equals", value: department }],
    groups,
    ...more,
  });

/** A small company: three systems, groups by system and by kind of operation, policies by department. */
export function company(): Configuration {
  const tools = SOURCES.flatMap((source) =>
    OPERATIONS.map((operation) =>
      withHash(
        row("tools", {
          id: `${source}:${operation}`,
          description: `${operation} in ${source}`,
          inputSchema: { type: "object" },
          groups: [],
          tags: [["list", "read", "search"].includes(operation) ? "read" : "write"],
          hasSideEffects: !["list", "read", "search"].includes(operation),
          requiresApproval: operation === "remove",
          requiredCapabilities: operation === "remove" ? [`${source}.remove`] : [],
          flow: { raises: operation === "read" ? ["seen"] : [], is: source === "crm" ? ["outward"] : ["loud"] },
          limits: { rate: { points: 10, seconds: 60 } },
        }) as ToolInput,
      ),
    ),
  );
  const groups = SOURCES.flatMap((source) => [
    row("groups", { name: `${source}-read`, selectors: [{ source, requiredTags: ["read"] }] }),
    row("groups", { name: `${source}-write`, selectors: [{ source, requiredTags: ["write"] }] }),
  ]);
  const policies = DEPARTMENTS.flatMap((department, at) => [
    policy(
      `${department}-read`,
      department,
      SOURCES.map((source) => `${source}-read`),
    ),
    policy(`${department}-write`, department, [`${SOURCES[at % SOURCES.length]}-write`]),
  ]);
  return {
    ...EMPTY_CONFIGURATION,
    settings: settingsInput.parse({}),
    sources: SOURCES.map((name) => row("sources", { name, kind: "http", url: "https://api.example.com" })),
    tools,
    groups,
    policies: [
      ...policies,
      row("policies", {
        name: "no-contractors",
        effect: "deny",
        matchers: [{ claim: "employment", operator: "equals", value: "contractor" }],
        groups: ["billing-write"],
      }),
      row("policies", {
        name: "interns-write",
        matchers: [{ claim: "employment", operator: "equals", value: "intern" }],
        arguments: [{ claim: "amount", operator: "lte", value: 100 }],
        groups: ["crm-write"],
      }),
      row("policies", { name: "watched-allow", mode: "observe", everyone: true, groups: ["crm-write"] }),
      row("policies", { name: "watched-deny", mode: "observe", effect: "deny", everyone: true, groups: ["wiki-read"] }),
    ],
    labels: [row("labels", { name: "seen", scope: "caller" }), row("labels", { name: "read", scope: "caller" })],
    flows: [row("flows", { name: "guard", when: ["seen"], restrict: [{ is: "outward" }] })],
    personas: [row("personas", { name: "clerk", capabilities: ["crm.*"], sampleClaims: { department: "sales" } })],
    agents: [
      row("agents", { name: "bot", persona: "clerk", attributes: { department: "sales" }, profile: "subagent" }),
    ],
  } as unknown as Configuration;
}

/** The company, compiled once. */
export const COMPANY: Index = compile(company());

type Section = "sources" | "tools" | "groups" | "policies" | "machines" | "personas" | "agents" | "flows";

/** A stored row of the company by id. */
export function stored(resource: Section, id: string): Record<string, unknown> {
  const rows = COMPANY.config[resource] as unknown as readonly Record<string, unknown>[];
  const found = rows.find((one) => (one["id"] ?? one["name"]) === id);
  if (found === undefined) throw new Error(`there is no ${resource}/${id}`);
  const { definitionHash: _derived, ...value } = found;
  return value;
}

const KEY = { tools: "id" } as Readonly<Record<string, string>>;

export const create = (resource: ResourceName, input: object): ReviewedChange => {
  const after = row(resource, input);
  const id = String((after as Record<string, unknown>)[KEY[resource] ?? "name"]);
  return { resource, id, before: null, after, setsSecret: false };
};
export const update = (resource: Section, id: string, fields: object): ReviewedChange => {
  const before = stored(resource, id);
  return { resource, id, before, after: { ...before, ...fields }, setsSecret: false };
};
export const remove = (resource: Section, id: string): ReviewedChange => {
  return { resource, id, before: stored(resource, id), after: null, setsSecret: false };
};
export const settings = (fields: object, was: object = {}): ReviewedChange => {
  const [before, after] = [was, fields].map((value) => ({ name: "settings", value: settingsInput.parse(value) }));
  return { resource: "settings", id: "settings", before: before!, after: after!, setsSecret: false };
};

/** The verdict on changes of the company. */
export function judged(...changes: readonly ReviewedChange[]): Verdict {
  return atOnce(judgeChanges(COMPANY, changes, NOW));
}
