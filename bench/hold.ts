import { hostileDocuments, importDocuments } from "@/bench/support/hostile-documents";
import { watchHoldUps } from "@/bench/support/held-up";
import { measuredApp } from "@/bench/support/measured-app";
import { measuredInstallation } from "@/bench/support/measured-installation";
import { report } from "@/bench/support/measure";

// The longest that hostile documents and bodies hold the event loop of the server at once, of its own work. Every document
// goes to each door that reads one: preview, impact, a plan, an import.

const installation = await measuredInstallation();
const holdUps = watchHoldUps();
const app = await measuredApp("ours", {}, { ...installation.env, ...holdUps.env });
const server = await app.serve("server");
try {
  const headers = { authorization: `Bearer ${installation.token}` };
  const send = async (method: string, path: string, body: string, type = "application/json"): Promise<number> => {
    const init = { method, headers: { ...headers, "content-type": type }, body };
    // A body that is too large may be refused, and its connection closed, before it is sent.
    const response = await fetch(`${server.url}${path}`, init).catch(() => null);
    await response?.arrayBuffer().catch(() => {});
    return response?.status ?? 413;
  };
  const worst = new Map<string, { own: number; what: string; requests: number }>();
  const measured = async (door: string, what: string, ask: () => Promise<number>) => {
    const status = await ask();
    if (status >= 500 && status !== 503) throw new Error(`${door}, ${what}: ${status}`);
    const { own } = await holdUps.longest(server.pid);
    const before = worst.get(door) ?? { own: 0, what, requests: 0 };
    const next = own > before.own ? { own, what } : before;
    worst.set(door, { ...next, requests: before.requests + 1 });
  };
  const json = (value: object) => JSON.stringify(value);
  await send("POST", "/api/admin/preview", json({ config: "apiVersion: quartermaster/v1" }));
  await send("POST", "/api/admin/impact", json({ config: "apiVersion: quartermaster/v1" }));
  await send("PUT", "/api/admin/config?dryRun=true", "apiVersion: quartermaster/v1", "application/yaml");
  await holdUps.longest(server.pid);
  for (const { name, text } of hostileDocuments(Number(process.env["DOCUMENTS"] ?? 1000))) {
    const doors = [
      ["preview", () => send("POST", "/api/admin/preview", json({ config: text }))],
      ["impact", () => send("POST", "/api/admin/impact", json({ config: text }))],
      ["plan", () => send("PUT", "/api/admin/config?dryRun=true", text, "application/yaml")],
      ["import", () => send("POST", "/api/admin/imports", json({ source: "hostile", document: text }))],
    ] as const;
    // Each document at one door: all four would say the same four times.
    const [door, ask] = doors[(worst.get("all")?.requests ?? 0) % doors.length] ?? doors[0];
    await measured("all", `${name} at ${door}`, ask);
  }
  for (const { name, text } of importDocuments()) {
    await measured("33 MB", `${name}, imported`, () =>
      send("POST", "/api/admin/imports", json({ source: "hostile", document: text })),
    );
    await measured("33 MB", `${name}, planned`, () =>
      send("PUT", "/api/admin/config?dryRun=true", text, "application/yaml"),
    );
  }
  const key = { authorization: `Bearer ${installation.apiKey}`, "content-type": "application/json" };
  const wide = (count: number) => Array.from({ length: count }, () => 1);
  const bodies: [string, string][] = [
    ["arguments of 400,000 values", json({ tool_id: "builtin:calculate", arguments: { list: wide(400_000) } })],
    [
      "arguments nested 100 deep",
      `{"tool_id":"builtin:calculate","arguments":${'{"a":'.repeat(100)}1${"}".repeat(100)}}`,
    ],
    ["a body of 400,000 values", json({ tool_id: "builtin:calculate", group: wide(400_000) })],
    ["a body of 60,000 unknown fields", json(Object.fromEntries(wide(60_000).map((_, at) => [`f${at}`, at])))],
  ];
  for (const [what, body] of bodies)
    await measured("bodies", what, async () => {
      const response = await fetch(`${server.url}/api/agents/tools/call`, { method: "POST", headers: key, body });
      await response.arrayBuffer();
      return response.status;
    });
  await measured("verification", "of the whole log", () =>
    fetch(`${server.url}/api/admin/executions/verify`, { headers }).then(async (answer) => {
      await answer.arrayBuffer();
      return answer.status;
    }),
  );
  for (const [door, { own, what, requests }] of worst) {
    console.log(`  ${door}: the longest by ${what}`);
    report(`${door}: the longest hold of the loop in ${requests} requests`, own, { atMost: 50 }, " ms");
  }
} finally {
  await server.stop();
  app.remove();
  holdUps.stop();
  await installation.stop();
}
