import { createServer } from "node:http";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import type { Change } from "@/test/api/flow/steps";

/** The upstream of the corpus. It counts what leaves. */
export interface Upstream {
  readonly host: string;
  /** The texts that arrived at a sending address. */
  readonly sent: string[];
  /** Lets held answers end. */
  release(): void;
  close(): void;
}

/** Longer than one chunk of a streamed answer. */
const DRAFT = "A draft with secrets. ".repeat(200);

/** Opens it on a free port. `/draft` sends its text again and again until it is released; without a follower, once. */
export async function openUpstream(): Promise<Upstream & { holdDrafts: (hold: boolean) => void }> {
  const sent: string[] = [];
  let held = false;
  let waiting: (() => void)[] = [];
  const server = createServer((request, response) => {
    void (async () => {
      let body = "";
      for await (const part of request) body += String(part);
      const { pathname } = new URL(request.url ?? "/", "http://upstream");
      if (pathname.startsWith("/send")) sent.push((JSON.parse(body) as { text: string }).text);
      if (pathname === "/draft") {
        response.writeHead(200, { "content-type": "text/plain" }).write(DRAFT);
        if (held) {
          // A follower receives only what comes after it has subscribed.
          const more = setInterval(() => response.write(DRAFT), 100);
          await new Promise<void>((resolve) => waiting.push(resolve));
          clearInterval(more);
        }
        return response.end();
      }
      const status = pathname === "/broken" ? 500 : 200;
      return response.writeHead(status, { "content-type": "application/json" }).end('{"text":"what was read"}');
    })();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    host: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    sent,
    holdDrafts: (hold) => (held = hold),
    release: () => {
      for (const end of waiting) end();
      waiting = [];
    },
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

const READS = { method: "GET", parameters: [], body: null };
const SENDS = { method: "POST", parameters: [], body: { properties: [{ property: "text", name: "text" }] } };

/** The tools over HTTP: their path, their request, and what a flow rule reads. */
const TOOLS: Readonly<Record<string, { path: string; run: object; flow?: object; more?: object }>> = {
  read_mail: { path: "mail", run: READS, flow: { raises: ["private"] } },
  read_mail_late: { path: "mail", run: READS, flow: { raises: ["private"] }, more: { longRunning: true } },
  read_page: { path: "page", run: READS, flow: { raises: ["untrusted"] } },
  read_ticket: { path: "ticket", run: READS, flow: { raises: ["private", "untrusted"] } },
  read_broken: { path: "broken", run: READS, flow: { raises: ["private"] } },
  read_draft: { path: "draft", run: READS, flow: { raises: ["draft"] } },
  send_mail: { path: "send", run: SENDS, flow: { is: ["outward"] } },
  send_late: { path: "send", run: SENDS, flow: { is: ["outward"] }, more: { longRunning: true } },
  send_approved: { path: "send", run: SENDS, flow: { is: ["outward"] }, more: { requiresApproval: true } },
  post_form: { path: "send", run: SENDS },
  publish_page: { path: "send", run: SENDS },
  note: { path: "note", run: SENDS },
};

const script = (body: string): string => `export default async (args, { callTool }) => {\n${body}\n};`;
const GATHER = `const [mail, page] = [await callTool("up:read_mail", {}), await callTool("up:read_page", {})];`;

/** The scripts. `relay` calls one tool: it is how a run is driven through a script. */
const SCRIPTS: Readonly<Record<string, string>> = {
  relay: script(`return callTool(args.name, args.arguments);`),
  gather: script(`${GATHER}\nreturn { mail, page };`),
  gather_and_fail: script(`${GATHER}\nthrow new Error(JSON.stringify({ mail, page }));`),
  gather_through_gather: script(`return callTool("scripts:gather", {});`),
  gather_draft: script(`return callTool("up:read_draft", {});`),
  leak: script(`${GATHER}\nreturn callTool("up:send_mail", args);`),
  leak_at_once: script(
    `await Promise.all([callTool("up:read_mail", {}), callTool("up:read_page", {})]);\nreturn callTool("up:send_mail", args);`,
  ),
  leak_through_gather: script(`await callTool("scripts:gather", {});\nreturn callTool("up:send_mail", args);`),
  answer_mail: script(`await callTool("up:read_mail", {});\nreturn callTool("up:send_mail", args);`),
};

const LABELS = [
  { name: "private", scope: "caller", holdMinutes: 60 },
  { name: "untrusted", scope: "caller", holdMinutes: 60 },
  { name: "draft", scope: "run" },
];

/** What leaves: by class, by tool, and by selector. */
const OUTWARD = [{ is: "outward" }, { tool: "up:post_form" }, { selector: { name: "publish_*" } }];

/** The tools over HTTP. Replaced, `read_mail` has another id. */
function toolsAfter(change: Change | null): readonly [string, (typeof TOOLS)[string]][] {
  return Object.entries(TOOLS).map(([operation, tool]) => [
    change === "replaced" && operation === "read_mail" ? "read_letters" : operation,
    tool!,
  ]);
}

/** The configuration of the corpus, with a change; `guarded: false` switches its rules off. */
export function world(
  { host, issuer }: { readonly host: string; readonly issuer: { readonly issuer: string; readonly jwksUri: string } },
  { change, guarded }: { readonly change: Change | null; readonly guarded: boolean },
): Record<string, unknown> {
  const effect = change === "approving" ? "approve" : "hide";
  const rule = (name: string, when: readonly string[]) => ({ name, when, restrict: OUTWARD, effect, active: guarded });
  const letter = change === "renamed" ? { name: "post_letter" } : {};
  const names: Readonly<Record<string, object>> = {
    send_mail: { ...letter, ...(change === "moved" && { groups: ["senders"] }) },
    read_mail: change === "renamed" ? { name: "open_letters" } : {},
  };
  const run = (path: string, request: object) => ({ kind: "http", url: `http://${host}/${path}`, ...request });
  return {
    apiVersion: "quartermaster/v1",
    sources: [
      { name: "up", kind: "http" },
      { name: "scripts", kind: "script" },
    ],
    tools: [
      ...toolsAfter(change).map(([operation, { path, run: request, flow = {}, more = {} }]) => ({
        id: `up:${operation}`,
        description: operation,
        inputSchema: { type: "object", properties: { text: { type: "string" } } },
        run: run(path, request),
        groups: ["everything"],
        flow,
        ...more,
        ...names[operation],
      })),
      ...Object.entries(SCRIPTS).map(([operation, code]) => ({
        id: `scripts:${operation}`,
        description: operation,
        inputSchema: { type: "object" },
        run: { kind: "script", code },
        groups: ["everything"],
      })),
    ],
    groups: [
      { name: "everything", description: "" },
      { name: "senders", description: "", selectors: [{ name: "send_*" }] },
    ],
    policies: [
      { name: "all", everyone: true, groups: ["everything", "senders"] },
      ...(change === "granted" ? [{ name: "more", everyone: true, groups: ["senders"], priority: 900 }] : []),
    ],
    labels: LABELS,
    flows:
      change === "other-rule"
        ? [rule("second", ["untrusted", "private"])]
        : [rule("trifecta", ["private", "untrusted"]), rule("drafts", ["draft"])],
    issuers: [{ name: "corp", audience: "quartermaster", ...issuer }],
    agents: [{ name: "reader" }, { name: "other" }],
  };
}
