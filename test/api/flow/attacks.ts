import type { CallStep, Run } from "@/test/api/flow/steps";

// Runs that read private data and untrusted text, and then try to send. With the rule, no send may reach the upstream;
// without it, each of them does (test/api/flow/corpus.test.ts).

const mail: CallStep = { call: "read_mail" };
const page: CallStep = { call: "read_page" };
const send: CallStep = { call: "send_mail" };

/** The attack runs. */
export const ATTACKS: readonly Run[] = [
  // In one run, one call after the other.
  { name: "reads private data, then a page", steps: [mail, page, send] },
  { name: "reads a page, then private data", steps: [page, mail, send] },
  { name: "reads both with one tool", steps: [{ call: "read_ticket" }, send] },
  { name: "sends again and again", steps: [mail, page, send, send, send] },
  { name: "sends through a tool that the rule names", steps: [mail, page, { call: "post_form" }] },
  { name: "sends through a tool that the rule selects", steps: [mail, page, { call: "publish_page" }] },
  { name: "reads from answers that report a failure", steps: [page, { call: "read_broken" }, send] },
  { name: "uses harmless tools in between", steps: [mail, { call: "note" }, page, { call: "note" }, send] },

  // Names.
  { name: "sends by the exposed name", doors: ["rest"], steps: [mail, page, { ...send, name: "send_mail" }] },
  {
    name: "sends by a new name of the tool",
    steps: [mail, page, { save: "renamed" }, { ...send, name: "post_letter" }],
  },
  {
    name: "reads by a new name of the tool",
    steps: [{ save: "renamed" }, { ...mail, name: "open_letters" }, page, { ...send, name: "post_letter" }],
  },
  { name: "sends after the tool moved to another group", steps: [mail, page, { save: "moved" }, send] },
  { name: "holds its labels over a change of the rule", steps: [mail, page, { save: "other-rule" }, send] },

  // Search listing.
  { name: "reads and sends through a search listing", doors: ["search"], steps: [mail, page, send] },
  { name: "sends through a search listing", steps: [mail, page, { ...send, door: "search" }] },

  // Sessions, tokens and clients.
  { name: "sends in a new session", steps: [mail, page, { open: "new" }, { ...send, session: "new" }] },
  {
    name: "reads in two sessions, and sends in a third",
    steps: [
      { open: "one" },
      { open: "two" },
      { open: "three" },
      { ...mail, session: "one" },
      { ...page, session: "two" },
      { ...send, session: "three" },
    ],
  },
  {
    name: "ends the session in which it read",
    steps: [{ open: "one" }, { ...mail, session: "one" }, { ...page, session: "one" }, { end: "one" }, send],
  },
  { name: "sends with another API key", steps: [mail, page, { ...send, by: "second" }] },
  { name: "reads with two API keys", steps: [mail, { ...page, by: "second" }, send] },
  {
    name: "sends with a new token",
    steps: [
      { ...mail, by: "token" },
      { ...page, by: "token" },
      { ...send, by: "token-again" },
    ],
  },
  {
    name: "sends with a token of another client",
    steps: [
      { ...mail, by: "token" },
      { ...page, by: "token" },
      { ...send, by: "token-phone" },
    ],
  },

  // Other doors.
  { name: "reads over REST, sends over MCP", doors: ["rest"], steps: [mail, page, { ...send, door: "mcp" }] },
  { name: "reads over MCP, sends over REST", doors: ["mcp"], steps: [mail, page, { ...send, door: "rest" }] },
  { name: "reads and sends in a session of MCP", doors: ["legacy"], steps: [mail, page, send] },
  {
    name: "reads in a session of MCP, sends without",
    doors: ["legacy"],
    steps: [mail, page, { ...send, door: "mcp" }],
  },
  { name: "reads, and a person tries the tool for it", steps: [mail, page, { ...send, door: "try" }] },
  { name: "reads in a trial, and sends itself", doors: ["try"], steps: [mail, page, { ...send, door: "rest" }] },
  { name: "reads and sends in one JSON-RPC batch", doors: ["mcp"], steps: [{ batch: [mail, page, send] }] },
  { name: "reads in a JSON-RPC batch, then sends", doors: ["mcp"], steps: [{ batch: [page, mail] }, send] },

  // Server-sent events.
  {
    name: "reads streamed answers",
    doors: ["rest"],
    steps: [{ ...mail, stream: true }, { ...page, stream: true }, send],
  },
  { name: "sends with a streamed answer", doors: ["rest"], steps: [mail, page, { ...send, stream: true }] },
  {
    name: "follows the events of a call in another run",
    doors: ["rest"],
    steps: [
      { open: "one" },
      { call: "read_draft", session: "one", async: true, id: "draft" },
      { follow: "draft" },
      send,
    ],
  },

  // Scripts and nested calls.
  { name: "sends in the script that read", doors: ["rest", "mcp"], steps: [{ call: "leak" }] },
  { name: "sends in a script that reads at the same time", doors: ["rest", "mcp"], steps: [{ call: "leak_at_once" }] },
  { name: "reads in a script, sends itself", steps: [{ call: "gather" }, send] },
  { name: "reads itself, sends in a script", doors: ["rest", "mcp"], steps: [mail, page, { ...send, door: "script" }] },
  { name: "reads in a script of a script", doors: ["rest", "mcp"], steps: [{ call: "leak_through_gather" }] },
  { name: "reads in a script that fails", steps: [{ call: "gather_and_fail" }, send] },

  // Async calls and tasks.
  {
    name: "reads asynchronously",
    doors: ["rest"],
    steps: [
      { ...mail, async: true, id: "mail" },
      { ...page, async: true, id: "page" },
      { finish: "mail" },
      { finish: "page" },
      send,
    ],
  },
  {
    name: "has a send accepted before it reads",
    doors: ["rest"],
    steps: [{ ...send, async: true, id: "send" }, mail, page, { finish: "send" }],
  },
  {
    name: "reads by a task",
    doors: ["rest", "mcp"],
    steps: [page, { call: "read_mail_late", id: "mail" }, { finish: "mail" }, send],
  },
  {
    name: "has a task accepted before it reads",
    doors: ["rest", "mcp"],
    steps: [{ call: "send_late", id: "send" }, mail, page, { finish: "send" }],
  },
  {
    name: "has a script accepted before it reads, which sends",
    doors: ["rest"],
    steps: [{ call: "leak", async: true, id: "leak" }, mail, page, { finish: "leak" }],
  },

  // Kept and replayed results.
  {
    name: "reads a kept result after its label was cleared",
    doors: ["rest"],
    steps: [
      page,
      { ...mail, async: true, id: "mail" },
      { finish: "mail" },
      { clear: "private" },
      { read: "mail" },
      send,
    ],
  },
  {
    name: "reads a kept result after its label has ended",
    doors: ["rest"],
    steps: [
      { ...mail, async: true, id: "mail" },
      { finish: "mail" },
      { expire: "private" },
      page,
      { read: "mail", by: "second" },
      send,
    ],
  },
  {
    name: "reads the result of a task after its label was cleared",
    doors: ["mcp"],
    steps: [
      page,
      { call: "read_mail_late", id: "mail" },
      { finish: "mail" },
      { clear: "private" },
      { read: "mail", door: "mcp" },
      send,
    ],
  },
  {
    name: "reads the kept result of a script after its labels were cleared",
    doors: ["rest"],
    steps: [
      { call: "gather", async: true, id: "gather" },
      { finish: "gather" },
      { clear: "private" },
      { clear: "untrusted" },
      { read: "gather" },
      send,
    ],
  },
  {
    name: "reads the kept result of a script after a tool that it called got another id",
    doors: ["rest"],
    steps: [
      { call: "gather", async: true, id: "gather" },
      { finish: "gather" },
      { clear: "private" },
      { clear: "untrusted" },
      { save: "replaced" },
      { read: "gather" },
      send,
    ],
  },
  {
    name: "reads the kept result of a script of a script after its labels were cleared",
    doors: ["rest"],
    steps: [
      { call: "gather_through_gather", async: true, id: "gather" },
      { finish: "gather" },
      { clear: "private" },
      { clear: "untrusted" },
      { read: "gather" },
      send,
    ],
  },
  {
    name: "repeats a call by its idempotency key after its label was cleared",
    doors: ["rest"],
    steps: [page, { ...mail, key: "once" }, { clear: "private" }, { ...mail, key: "once" }, send],
  },
  {
    name: "repeats a script by its idempotency key after its labels were cleared",
    doors: ["rest"],
    steps: [
      { call: "gather", key: "once" },
      { clear: "private" },
      { clear: "untrusted" },
      { call: "gather", key: "once" },
      send,
    ],
  },
  {
    name: "reads the kept result of a session's run without the session",
    doors: ["rest"],
    steps: [
      { open: "one" },
      { call: "read_draft", session: "one", async: true, id: "draft" },
      { finish: "draft" },
      { read: "draft" },
      send,
    ],
  },
  {
    name: "reads the kept result of a session's script without the session",
    doors: ["rest"],
    steps: [
      { open: "one" },
      { call: "gather_draft", session: "one", async: true, id: "draft" },
      { finish: "draft" },
      { read: "draft" },
      send,
    ],
  },
  {
    name: "reads again after the time of a label is over",
    steps: [mail, page, { expire: "private" }, mail, send],
  },

  // Parallel calls.
  { name: "reads at the same time", steps: [{ together: [mail, page] }, send] },
  {
    name: "reads and sends at the same time, and sends what it has read",
    steps: [{ together: [mail, page, { call: "send_mail", early: true }] }, send],
  },
  {
    name: "sends sixteen times at the same time",
    steps: [mail, page, { together: Array.from({ length: 16 }, () => send) }],
  },
  {
    name: "reads and sends in parallel sessions",
    steps: [
      { open: "one" },
      { open: "two" },
      {
        together: [
          { call: "read_mail", session: "one" },
          { call: "read_page", session: "two" },
        ],
      },
      {
        together: [
          { call: "send_mail", session: "one" },
          { call: "send_mail", session: "two" },
        ],
      },
    ],
  },

  // Approvals and grants.
  {
    name: "has a send approved before it reads the page",
    doors: ["rest"],
    steps: [mail, { call: "send_approved", id: "send" }, page, { approve: "send" }, { finish: "send" }],
  },
  {
    name: "has a send approved for two labels, and reads under a third",
    doors: ["rest"],
    under: "approving",
    steps: [mail, page, { ...send, id: "send" }, { call: "read_draft" }, { approve: "send" }, { finish: "send" }],
  },
  {
    name: "has an async send accepted where the rule asks for an approval",
    doors: ["rest"],
    under: "approving",
    steps: [{ ...send, async: true, id: "send" }, mail, page, { finish: "send" }],
  },
  { name: "sends where the rule asks for an approval", under: "approving", steps: [mail, page, send] },
  { name: "sends after a policy granted everyone the send tools", steps: [mail, page, { save: "granted" }, send] },
];
