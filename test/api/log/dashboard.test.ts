import { readFileSync } from "node:fs";
import { beforeAll, describe, expect, it, vi } from "vitest";
import { startJobs } from "@/lib/jobs/runner";
import { registerRuntimeGauges } from "@/lib/server/runtime-gauges";
import { streamTools } from "@/lib/agents/streams/stream";
import { metrics } from "@/lib/telemetry/metrics";
import { toPrometheus } from "@/lib/telemetry/prometheus";
import { Client, keyOf, save, supportDocument } from "@/test/api/agents-world";
import { useDatabase } from "@/test/support/database";
import { readScrape, type Scrape } from "@/test/support/prometheus-text";

const database = useDatabase();

interface Panel {
  readonly id: number;
  readonly type: string;
  readonly title: string;
  readonly gridPos: { readonly x: number; readonly y: number; readonly w: number; readonly h: number };
  readonly targets?: readonly { readonly refId: string; readonly expr: string }[];
}

const dashboard = JSON.parse(readFileSync("docs/grafana.json", "utf8")) as {
  readonly title: string;
  readonly uid: string;
  readonly schemaVersion: number;
  readonly panels: readonly Panel[];
  readonly templating: { readonly list: readonly { readonly name: string; readonly type: string }[] };
};
const panels = dashboard.panels.filter(({ type }) => type !== "row");
const queries = panels.flatMap(({ title, targets = [] }) => targets.map(({ expr }) => [title, expr] as const));

/** Words of PromQL that are neither metrics nor functions. */
const WORDS = new Set(["and", "or", "unless", "offset", "bool"]);
/** Labels that Prometheus itself adds. */
const ADDED = ["job", "instance", "le"];

/** The metrics that a query reads. */
function metricsOf(expr: string): string[] {
  const bare = expr
    .replaceAll(/"(?:[^"\\]|\\.)*"/g, "")
    .replaceAll(/\{[^}]*\}|\[[^\]]*\]/g, "")
    .replaceAll(/\b(?:by|without|on|ignoring)\s*\([^)]*\)/g, "");
  const names = [...bare.matchAll(/[a-zA-Z_:][\w:]*(?![\w:]*\s*\()/g)].map(([name]) => name);
  return names.filter((name) => !WORDS.has(name));
}

/** The labels that a query matches or groups by. */
function labelsOf(expr: string): string[] {
  const matched = [...expr.matchAll(/\{([^}]*)\}/g)].flatMap(([, text = ""]) =>
    [...text.matchAll(/(\w+)\s*(?:=~|!~|!=|=)/g)].map(([, label = ""]) => label),
  );
  const grouped = [...expr.matchAll(/\bby\s*\(([^)]*)\)/g)].flatMap(([, text = ""]) => text.split(/\s*,\s*/));
  return [...matched, ...grouped];
}

let scrape: Scrape;

beforeAll(async () => {
  const document = supportDocument() as { sources: object[] };
  await save({ ...document, sources: [...document.sources, { name: "shop", kind: "http" }] });
  registerRuntimeGauges();
  const key = await keyOf("reader");
  const reader = new Client(key);
  await reader.list();
  await reader.call({ tool_id: "builtin:calculate", arguments: { expression: "6*7" } });
  await reader.call({ tool_id: "support:refund_order", arguments: {} });
  const asked = new Request("http://127.0.0.1/api/agents/stream", { headers: { authorization: `Bearer ${key}` } });
  await (await streamTools(asked)).body?.cancel();
  await new Client(await keyOf("stranger")).list();
  // An answer that does not fit needs an upstream: counted here as the pipeline counts it.
  startJobs([{ name: "job", everyMs: 10, run: async () => {} }]);
  await vi.waitUntil(() => metrics().jobRuns.collect().samples.length > 0, { timeout: 15_000 });
  metrics().outputWarnings.of({ tool: "support:get_order", source: "support" }).add();
  metrics().tokensIssued.of({ grant: "authorization_code" }).add();
  metrics().signInRefusals.of({ reason: "invalid_grant" }).add();
  metrics().linkRefreshes.of({ source: "support", outcome: "refreshed" }).add();
  await database.query(`insert into linked_account ("personId", source, origin, issuer, scope, "linkedAt")
    values (gen_random_uuid(), 'support', 'https://support.example', 'https://login.example', '', now())`);
  scrape = readScrape(toPrometheus(await metrics().registry.collect()));
});

describe("docs/grafana.json", () => {
  it("is a dashboard: panels with ids of their own, side by side, each with a question", () => {
    expect(dashboard).toMatchObject({ title: "Quartermaster", uid: "quartermaster" });
    expect(dashboard.schemaVersion).toBeGreaterThanOrEqual(39);
    expect(new Set(dashboard.panels.map(({ id }) => id)).size).toBe(dashboard.panels.length);
    const places = dashboard.panels.flatMap(({ gridPos: { x, y, w, h } }) =>
      Array.from({ length: w * h }, (_, at) => [x + (at % w), y + Math.floor(at / w)] as const),
    );
    expect(Math.max(...places.map(([x]) => x))).toBeLessThan(24);
    expect(new Set(places.map(String)).size).toBe(places.length);
    expect(panels.filter(({ targets = [] }) => targets.length === 0)).toEqual([]);
  });

  it("uses variables that it has", () => {
    const used = [...JSON.stringify(dashboard).matchAll(/\$\{?(\w+)\}?/g)].map(([, name = ""]) => name);
    const known = dashboard.templating.list.map(({ name }) => name);
    expect([...new Set(used)].filter((name) => !name.startsWith("__")).toSorted()).toEqual(known.toSorted());
  });

  it.each(queries)("%s asks for what /api/metrics has: %s", (_title, expr) => {
    const asked = metricsOf(expr);
    expect(asked.length).toBeGreaterThan(0);
    const found = scrape.samples.filter(({ name }) => asked.includes(name));
    expect(new Set(found.map(({ name }) => name))).toEqual(new Set(asked));
    const known = new Set([...ADDED, ...found.flatMap(({ labels }) => Object.keys(labels))]);
    expect(labelsOf(expr).filter((label) => !known.has(label))).toEqual([]);
  });
});

describe("docs/telemetry.md", () => {
  it("names every metric with its labels, and no other", () => {
    const rows = readFileSync("docs/telemetry.md", "utf8").split("## OpenTelemetry")[0]?.split("\n") ?? [];
    const charted = rows.flatMap((line) => {
      const [, name, labels = ""] = /^\| `(\w+)` +\|([^|]*)\|/.exec(line) ?? [];
      return name === undefined ? [] : [[name, [...labels.matchAll(/`(\w+)`/g)].map(([, label]) => label)] as const];
    });
    const there = [...scrape.types.keys()].map((name) => {
      const sample = scrape.samples.find((each) => each.name === name || each.name === `${name}_bucket`);
      return [name, Object.keys(sample?.labels ?? {}).filter((label) => label !== "le")] as const;
    });
    const sorted = (list: readonly (readonly [string, readonly (string | undefined)[]])[]) =>
      list.map(([name, labels]) => `${name} ${labels.toSorted().join()}`).toSorted();
    expect(sorted(charted)).toEqual(sorted(there));
  });
});
