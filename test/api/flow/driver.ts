import { withTaskCapabilityV2 } from "@modelcontextprotocol/ext-tasks/core/v2";
import { POST as APPROVE } from "@/app/api/admin/approvals/[id]/approve/route";
import { POST as TRY } from "@/app/api/admin/tools/[id]/try/route";
import { callTool } from "@/lib/agents/rest/call";
import { followCall } from "@/lib/agents/rest/calls";
import { production } from "@/lib/calls/pipeline/dependencies";
import { Client, type Problem } from "@/test/api/agents-world";
import { initialize, post, statelessMessage, type McpEndpoint } from "@/test/api/mcp-world";
import type { CallStep, Door, Run, Step } from "@/test/api/flow/steps";
import { ask } from "@/test/support/admin";
import { ORIGIN } from "@/test/support/person";
import { runQueued } from "@/test/support/jobs/run-queued";
import type { TestDatabase } from "@/test/support/database";

/** What a driver needs: the processes, the callers, and the database. */
export interface Setting {
  readonly mcp: McpEndpoint;
  readonly credentials: Readonly<Record<NonNullable<CallStep["by"]>, string>>;
  readonly database: Pick<TestDatabase, "query">;
  readonly save: (change: Extract<Step, { save: unknown }>["save"]) => Promise<unknown>;
  /** Lets the upstream end the answers that it holds. */
  readonly release: () => void;
}

/** What came of a call. */
export interface Made {
  readonly step: CallStep;
  /** `error` = a protocol error of MCP, as for a tool that is not in the list. */
  readonly status: string;
}

/** Everything of one run under way. */
interface Course {
  readonly setting: Setting;
  readonly door: Door;
  readonly text: string;
  readonly calls: Map<string, string>;
  readonly sessions: Map<string, string>;
  readonly made: Made[];
  readonly open: Promise<unknown>[];
  legacy: string | null;
}

/** Drives a run through a door. `text` is what its sends carry. */
export async function drive(run: Run, door: Door, text: string, setting: Setting): Promise<readonly Made[]> {
  const course: Course = {
    setting,
    door,
    text,
    calls: new Map(),
    sessions: new Map(),
    made: [],
    open: [],
    legacy: null,
  };
  try {
    for (const step of run.steps) await take(step, course);
  } finally {
    setting.release();
    await Promise.all(course.open);
  }
  return course.made;
}

async function take(step: Step, course: Course): Promise<void> {
  const { setting, calls, sessions } = course;
  const { database } = setting;
  if ("call" in step) return make(step, course);
  if ("together" in step) return void (await Promise.all(step.together.map((one) => make(one, course))));
  if ("batch" in step) return batch(step.batch, course);
  if ("open" in step) return void sessions.set(step.open, await opened(course, step.by));
  if ("end" in step)
    return void (await database.query("delete from agent_session where id = $1", [sessions.get(step.end)]));
  if ("finish" in step) return runQueued(idOf(calls, step.finish), production());
  if ("follow" in step) return follow(idOf(calls, step.follow), course, step.by);
  if ("read" in step) return readKept(idOf(calls, step.read), course, step);
  if ("approve" in step) return approve(step.approve, course);
  if ("expire" in step)
    return void (await database.query(`update held_label set until = now() - interval '1 second' where label = $1`, [
      step.expire,
    ]));
  if ("clear" in step) return void (await database.query(`delete from held_label where label = $1`, [step.clear]));
  await setting.save(step.save);
}

function idOf(calls: Course["calls"], name: string): string {
  const id = calls.get(name);
  if (id === undefined) throw new Error(`No earlier step names a call ${name}.`);
  return id;
}

const clientOf = ({ setting }: Course, by: CallStep["by"] = "key") => new Client(setting.credentials[by]);

async function opened(course: Course, by: CallStep["by"]): Promise<string> {
  return (await clientOf(course, by).open({ group: ["*"] })).json.session_id;
}

async function make(step: CallStep, course: Course): Promise<void> {
  const { callId, status } = await MAKERS[step.door ?? doorOf(step, course)](step, course);
  if (step.id !== undefined && callId !== undefined) course.calls.set(step.id, callId);
  course.made.push({ step, status });
}

/** A step that only REST supports goes over REST. */
function doorOf(step: CallStep, { door }: Course): Door {
  const { async, stream, key, session } = step;
  return door === "mcp" && (async ?? stream ?? key ?? session) !== undefined ? "rest" : door;
}

type Answered = { readonly callId?: string | undefined; readonly status: string };

const MAKERS: Readonly<Record<Door, (step: CallStep, course: Course) => Promise<Answered>>> = {
  rest: (step, course) => overRest({ ...toolOf(step), arguments: argumentsOf(step, course) }, step, course),
  search: (step, course) =>
    overRest(
      { name: "call_tool", arguments: { name: nameOf(step), arguments: argumentsOf(step, course) }, listing: "search" },
      step,
      course,
    ),
  script: (step, course) =>
    overRest(
      { tool_id: "scripts:relay", arguments: { name: idOfTool(step), arguments: argumentsOf(step, course) } },
      step,
      course,
    ),
  mcp: (step, course) =>
    overMcp(stateless("tools/call", { name: nameOf(step), arguments: argumentsOf(step, course) }), step, course),
  legacy: async (step, course) => {
    const credential = course.setting.credentials[step.by ?? "key"];
    course.legacy ??= await initialize(course.setting.mcp, credential);
    const headers = { "mcp-protocol-version": "2025-11-25", "mcp-session-id": course.legacy };
    return toAnswered(await (await post(course.setting.mcp, credential, message(step, course, 1), headers)).text());
  },
  try: async (step, course) => {
    const id = idOfTool(step);
    const body = { agent: "reader", arguments: argumentsOf(step, course) };
    const { json } = await ask(TRY, "POST", `/api/admin/tools/${encodeURIComponent(id)}/try`, { params: { id }, body });
    return { callId: String(json["call_id"]), status: String(json["status"]) };
  },
};

const SCRIPT_TOOLS = /^(relay|gather|leak|answer)/;
const idOfTool = ({ call }: CallStep): string => (SCRIPT_TOOLS.test(call) ? `scripts:${call}` : `up:${call}`);
const nameOf = ({ call, name }: CallStep): string => name ?? call;
const toolOf = (step: CallStep) => (step.name === undefined ? { tool_id: idOfTool(step) } : { name: step.name });
const argumentsOf = ({ early }: CallStep, { text }: Course) => ({ text: early === true ? "early" : text });

async function overRest(body: object, step: CallStep, course: Course): Promise<Answered> {
  const sent = {
    ...body,
    ...(step.session !== undefined && { session_id: idOf(course.sessions, step.session) }),
    ...(step.async === true && { mode: "async" }),
    ...(step.stream === true && { stream: true }),
  };
  const headers =
    step.key === undefined ? {} : { "idempotency-key": `${course.text} ${step.key}`.replaceAll(" ", "-") };
  if (step.stream !== true) {
    const { json } = await clientOf(course, step.by).call(sent, headers);
    return { callId: json.call_id, status: json.status ?? (json as unknown as Problem).code };
  }
  const credential = course.setting.credentials[step.by ?? "key"];
  const request = new Request(`${ORIGIN}/api/agents/tools/call`, {
    method: "POST",
    headers: { authorization: `Bearer ${credential}`, "content-type": "application/json" },
    body: JSON.stringify(sent),
  });
  const text = await (await callTool(request, { params: Promise.resolve({}) })).text();
  return toAnswered(text);
}

function stateless(method: string, params: Record<string, unknown>): object {
  const one = statelessMessage(method, params) as { readonly params: Record<string, unknown> };
  return { ...one, params: withTaskCapabilityV2(one.params as never) };
}

const message = (step: CallStep, course: Course, id: number) => ({
  jsonrpc: "2.0",
  id,
  method: "tools/call",
  params: { name: nameOf(step), arguments: argumentsOf(step, course) },
});

async function overMcp(body: object, step: CallStep, course: Course): Promise<Answered> {
  const { method, params } = body as { method: string; params: { name?: string; taskId?: string } };
  const headers = {
    "mcp-protocol-version": "2026-07-28",
    "mcp-method": method,
    "mcp-name": params.name ?? params.taskId ?? "",
  };
  const answer = await post(course.setting.mcp, course.setting.credentials[step.by ?? "key"], body, headers);
  return toAnswered(await answer.text());
}

/** The status that a text of JSON, JSON-RPC or events reports. */
function toAnswered(text: string): Answered {
  const last = [...text.matchAll(/^data: (.*)$/gm)].at(-1)?.[1] ?? text;
  const read = JSON.parse(last) as {
    status?: string;
    call_id?: string;
    result?: { isError?: boolean; taskId?: string; status?: string };
  };
  if (read.result === undefined) return { callId: read.call_id, status: read.status ?? "error" };
  const { isError, taskId } = read.result;
  if (taskId !== undefined) return { callId: taskId, status: "pending" };
  return { status: isError === true ? "failed" : "succeeded" };
}

async function batch(steps: readonly CallStep[], course: Course): Promise<void> {
  const { mcp, credentials } = course.setting;
  const session = await initialize(mcp, credentials.key);
  const body = steps.map((step, id) => message(step, course, id));
  const text = await (await post(mcp, credentials.key, body, { "mcp-session-id": session })).text();
  if (!text.includes('"id":0')) throw new Error(`The batch was not answered: ${text}`);
  const failed = (text.match(/"isError":true|"error":/g) ?? []).length;
  course.made.push(...steps.map((step, id) => ({ step, status: id < steps.length - failed ? "succeeded" : "failed" })));
}

/** Runs a queued call, and continues once the reader has its first chunk. The upstream ends it at the end of the run. */
async function follow(callId: string, course: Course, by: CallStep["by"] = "key"): Promise<void> {
  const headers = { authorization: `Bearer ${course.setting.credentials[by]}` };
  const request = new Request(`${ORIGIN}/api/agents/calls/${callId}/events`, { headers });
  const response = await followCall(request, { params: Promise.resolve({ id: callId }) });
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  course.open.push(runQueued(callId, production()));
  for (let text = ""; !text.includes("event: chunk");) {
    const { value, done } = await reader.read();
    if (done) throw new Error(`The stream ended without a chunk: ${text}`);
    text += value;
  }
  course.open.push(reader.cancel());
}

async function readKept(
  callId: string,
  course: Course,
  { by = "key", door = "rest" }: Pick<Extract<Step, { read: unknown }>, "by" | "door">,
): Promise<void> {
  if (door === "mcp") {
    const { status } = await overMcp(stateless("tasks/get", { taskId: callId }), { call: "tasks/get", by }, course);
    if (status === "error") throw new Error("The task was not read.");
    return;
  }
  const { status } = await clientOf(course, by).read(callId);
  if (status !== 200) throw new Error(`The kept result was answered with ${status}.`);
}

/** Without the rules, the call may have run without an approval. */
async function approve(name: string, { calls, made }: Course): Promise<void> {
  if (made.some(({ step, status }) => step.id === name && status !== "awaiting_approval")) return;
  const id = idOf(calls, name);
  const { status } = await ask(APPROVE, "POST", `/api/admin/approvals/${id}/approve`, { params: { id }, body: {} });
  if (status !== 200) throw new Error(`The approval was answered with ${status}.`);
}
