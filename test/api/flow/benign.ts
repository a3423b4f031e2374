import type { CallStep, Run } from "@/test/api/flow/steps";

// Runs that the rule must not stop: every call of them succeeds, and their sends arrive.

const mail: CallStep = { call: "read_mail" };
const page: CallStep = { call: "read_page" };
const send: CallStep = { call: "send_mail" };
const note: CallStep = { call: "note" };
const NONE = { sends: 0 };

/** The benign runs. */
export const BENIGN: readonly Run[] = [
  // What one label or none allows.
  { name: "sends without reading", steps: [send] },
  { name: "answers its mail", steps: [mail, send] },
  { name: "sends what it found on a page", steps: [page, send] },
  { name: "reads mail many times, and sends", steps: [mail, mail, mail, send] },
  { name: "reads pages many times, and sends", steps: [page, page, page, send] },
  { name: "sends, and then reads both", steps: [send, mail, page] },
  { name: "sends many times after its mail", steps: [mail, send, send, send], sends: 3 },
  { name: "sends through a tool that the rule names", steps: [mail, { call: "post_form" }] },
  { name: "sends through a tool that the rule selects", steps: [page, { call: "publish_page" }] },

  // Both labels, and nothing leaves.
  { name: "reads both", steps: [mail, page], ...NONE },
  { name: "reads both and takes notes", steps: [mail, page, note, note], ...NONE },
  { name: "goes on reading under both labels", steps: [mail, page, mail, page, { call: "read_ticket" }], ...NONE },
  { name: "takes notes of a ticket", steps: [{ call: "read_ticket" }, note], ...NONE },
  { name: "gathers in a script, and takes notes", steps: [{ call: "gather" }, note], ...NONE },

  // Other callers and runs.
  { name: "sends while another caller read both", steps: [{ ...mail, by: "other" }, { ...page, by: "other" }, send] },
  {
    name: "shares the work with another caller",
    steps: [mail, { ...page, by: "other" }, send, { ...send, by: "other" }],
    sends: 2,
  },
  { name: "sends while a person's token read both", steps: [{ ...mail, by: "token" }, { ...page, by: "token" }, send] },
  {
    name: "sends in another session than that of the draft",
    steps: [{ open: "one" }, { open: "two" }, { call: "read_draft", session: "one" }, { ...send, session: "two" }],
  },
  {
    name: "sends after the session of the draft has ended",
    steps: [{ open: "one" }, { call: "read_draft", session: "one" }, { end: "one" }, send],
  },

  // Labels that no longer apply.
  { name: "sends after the time of a label is over", steps: [mail, page, { expire: "untrusted" }, send] },
  { name: "sends after a person cleared a label", steps: [mail, page, { clear: "private" }, send] },
  { name: "reads the page again after it was cleared", steps: [mail, { clear: "private" }, page, send] },

  // Doors and kinds of calls.
  { name: "answers mail through a search listing", doors: ["search"], steps: [mail, send] },
  { name: "answers mail in a session of MCP", doors: ["legacy"], steps: [mail, send] },
  { name: "is tried by a person", doors: ["try"], steps: [mail, send] },
  { name: "sends in a JSON-RPC batch", doors: ["mcp"], steps: [{ batch: [page, send] }] },
  {
    name: "streams its answers",
    doors: ["rest"],
    steps: [
      { ...page, stream: true },
      { ...send, stream: true },
    ],
  },
  {
    name: "sends asynchronously",
    doors: ["rest"],
    steps: [mail, { ...send, async: true, id: "send" }, { finish: "send" }, { read: "send" }],
  },
  {
    name: "sends by a task",
    doors: ["rest", "mcp"],
    steps: [page, { call: "send_late", id: "send" }, { finish: "send" }],
  },
  {
    name: "reads a kept result, and sends",
    doors: ["rest"],
    steps: [{ ...mail, async: true, id: "mail" }, { finish: "mail" }, { read: "mail" }, send],
  },
  {
    name: "repeats a read by its idempotency key",
    doors: ["rest"],
    steps: [{ ...mail, key: "k" }, { ...mail, key: "k" }, send],
  },
  {
    name: "sends once by its idempotency key",
    doors: ["rest"],
    steps: [mail, { ...send, key: "k" }, { ...send, key: "k" }],
  },
  {
    name: "sends what a person approved",
    doors: ["rest"],
    steps: [mail, { call: "send_approved", id: "send" }, { approve: "send" }, { finish: "send" }],
  },
  {
    name: "sends under both labels what a person approved",
    doors: ["rest"],
    under: "approving",
    steps: [mail, page, { ...send, id: "send" }, { approve: "send" }, { finish: "send" }],
  },
  { name: "sends in a script", doors: ["rest", "mcp"], steps: [{ call: "answer_mail" }] },
  { name: "sends many times at the same time", steps: [{ together: Array.from({ length: 8 }, () => send) }], sends: 8 },
  { name: "reads and takes notes at the same time", steps: [{ together: [mail, page, note, note] }], ...NONE },
  { name: "sends by a new name of the tool", steps: [mail, { save: "renamed" }, { ...send, name: "post_letter" }] },
];
