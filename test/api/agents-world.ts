import { parseDocument } from "@/lib/config/document";
import { AppError } from "@/lib/errors";
import { apiKeys } from "@/lib/store/config/api-keys";
import { applyDocument } from "@/lib/store/save/config-document";
import type { Actor } from "@/lib/store/save/write";
import type { CallOutput, ToolEntry } from "@/lib/contracts/agents/agent-api";
import { callToolWith } from "@/lib/agents/rest/call";
import { cancelCall, readCall } from "@/lib/agents/rest/calls";
import { changeSession, openSession, readSession } from "@/lib/agents/rest/sessions";
import { listTools } from "@/lib/agents/rest/tools";
import type { Handler } from "@/lib/http/route";
import { SHIPPED_LABELS } from "@/lib/resources/shipped-flow";
import { production, type Dependencies } from "@/lib/calls/pipeline/dependencies";
import { builtinSources, builtinTools } from "@/lib/calls/builtin/index";

/** The actor of configuration changes in these tests. */
export const ADMIN: Actor = { kind: "system", name: "test", role: "admin" };

/** A tool in code as a section row, with some fields stated differently. */
export function supportTool(id: string, changes: Record<string, unknown> = {}): Record<string, unknown> {
  const tool = builtinTools().find((candidate) => candidate.id === id);
  if (tool === undefined) throw new Error(`There is no tool ${id} in code.`);
  return { ...tool, ...changes };
}

/**
 * The support team of these tests: agents of every kind, read and refund tools, a condition on the refund's
 * amount, a deny, a machine and two intents.
 */
export function supportDocument(changes: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    apiVersion: "quartermaster/v1",
    sources: builtinSources(),
    labels: SHIPPED_LABELS,
    tools: builtinTools(),
    groups: [
      { name: "support-read", description: "", selectors: [{ source: "support", requiredTags: ["read"] }] },
      { name: "tickets", description: "", selectors: [{ source: "support", requiredTags: ["tickets"] }] },
      { name: "refunds", description: "", selectors: [{ name: "refund_order" }], guidance: "Refund with care." },
      { name: "helpers", description: "", selectors: [{ source: "builtin" }] },
      { name: "resolution", description: "" },
      { name: "knowledge", description: "", selectors: [{ name: "search_knowledge" }] },
    ],
    policies: [
      {
        name: "support-staff",
        matchers: [{ claim: "team", operator: "equals", value: "support" }],
        groups: ["support-read", "helpers"],
      },
      {
        name: "small-refunds",
        description: "Refunds above 100 euro need a supervisor.",
        matchers: [{ claim: "can_refund", operator: "equals", value: true }],
        arguments: [{ claim: "amount", operator: "lte", value: 100 }],
        groups: ["refunds"],
      },
      { name: "ticket-work", matchers: [{ claim: "tickets", operator: "equals", value: true }], groups: ["tickets"] },
      {
        name: "suspended",
        effect: "deny",
        matchers: [{ claim: "suspended", operator: "equals", value: true }],
        groups: ["*"],
      },
    ],
    machines: [
      {
        name: "case",
        initial: "triage",
        states: [{ name: "triage" }, { name: "investigating" }, { name: "resolved", terminal: true }],
        rules: [
          {
            tool: "support:lookup_customer",
            availableIn: ["triage", "investigating"],
            transitions: [{ from: "triage", to: "investigating" }],
          },
          {
            tool: "support:close_ticket",
            availableIn: ["investigating"],
            transitions: [{ from: "investigating", to: "resolved" }],
          },
        ],
      },
    ],
    personas: [],
    intents: [{ name: "KNOWLEDGE", groups: ["knowledge"] }],
    agents: [
      { name: "reader", attributes: { team: "support" } },
      { name: "refunder", attributes: { team: "support", can_refund: true } },
      { name: "worker", attributes: { team: "support", tickets: true }, machine: "case", stateHeldByServer: true },
      { name: "suspended", attributes: { team: "support", can_refund: true, suspended: true } },
      { name: "stranger", attributes: { team: "sales" } },
    ],
    ...changes,
  };
}

/** The same with one of its tools stated differently. */
export function documentWithTool(id: string, changes: Record<string, unknown>): Record<string, unknown> {
  const changed = supportTool(id, changes);
  return supportDocument({ tools: builtinTools().map((tool) => (tool.id === id ? changed : tool)) });
}

/** Saves a document; whatever it does not mention stays. Returns the revision. */
export async function save(document: Record<string, unknown>): Promise<number> {
  const parsed = parseDocument(document);
  if (!parsed.ok) throw new Error(`The test's document is not valid: ${JSON.stringify(parsed.errors)}`);
  return patiently(async () => (await applyDocument(ADMIN, parsed.document)).revision);
}

/** A fresh API key of an agent. */
export async function keyOf(agent: string, name = `${agent}-key`): Promise<string> {
  const input = { name, agent, expiresAt: null, enabled: true };
  return patiently(
    async () => (await apiKeys.create(ADMIN, input)).key,
    () => apiKeys.remove(ADMIN, name),
  );
}

/** Attempts at what a test begins with. */
const ATTEMPTS = 5;

/** Set-up is no promise: on a busy machine the store may not answer within a request's time limit. */
async function patiently<T>(make: () => Promise<T>, undo: () => Promise<unknown> = async () => {}): Promise<T> {
  for (let attempt = 1; ; attempt += 1)
    try {
      return await make();
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== "config_unavailable" || attempt === ATTEMPTS) throw error;
      // It may have been made all the same.
      await undo().catch(() => {});
    }
}

/** An answer of the agents' endpoints. */
export interface Got<T> {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly json: T;
}

/** What a problem document says. */
export interface Problem {
  readonly code: string;
  readonly errors: readonly { readonly path: string; readonly message: string }[];
}

/** A list as these tests read it. */
export interface List {
  readonly data: readonly ToolEntry[];
  readonly count: number;
  readonly revision: number;
  readonly state: string;
  readonly profile: string;
  readonly mode: string;
  readonly next_cursor?: string | null;
}

/** A session as these tests read it. */
export interface Session {
  readonly session_id: string;
  readonly state: string;
  readonly mode: string;
  readonly tier: readonly string[] | null;
  readonly escalated: boolean;
  readonly tools: readonly ToolEntry[];
  readonly expires_at: string;
}

/** The agents' endpoints, as one caller with a credential uses them. */
export class Client {
  readonly credential: string;
  readonly #call: Handler;

  constructor(credential: string, deps: () => Dependencies = production) {
    this.credential = credential;
    this.#call = callToolWith(deps);
  }

  list<T = List>(query = "", headers: Record<string, string> = {}): Promise<Got<T>> {
    return this.send<T>(listTools, "GET", `/api/agents/tools${query}`, { headers });
  }

  call<T = CallOutput>(body: unknown, headers: Record<string, string> = {}): Promise<Got<T>> {
    return this.send<T>(this.#call, "POST", "/api/agents/tools/call", { body, headers });
  }

  read<T = CallOutput>(id: string): Promise<Got<T>> {
    return this.send<T>(readCall, "GET", `/api/agents/calls/${id}`, { params: { id } });
  }

  cancel<T = CallOutput>(id: string): Promise<Got<T>> {
    return this.send<T>(cancelCall, "DELETE", `/api/agents/calls/${id}`, { params: { id } });
  }

  open<T = Session>(body: unknown): Promise<Got<T>> {
    return this.send<T>(openSession, "POST", "/api/agents/sessions", { body });
  }

  session<T = Session>(id: string): Promise<Got<T>> {
    return this.send<T>(readSession, "GET", `/api/agents/sessions/${id}`, { params: { id } });
  }

  patch<T = Session>(id: string, body: unknown): Promise<Got<T>> {
    return this.send<T>(changeSession, "PATCH", `/api/agents/sessions/${id}`, { body, params: { id } });
  }

  private async send<T>(
    handler: Handler,
    method: string,
    path: string,
    sent: { body?: unknown; headers?: Record<string, string>; params?: Record<string, string> },
  ): Promise<Got<T>> {
    const body =
      sent.body === undefined ? undefined : typeof sent.body === "string" ? sent.body : JSON.stringify(sent.body);
    const request = new Request(`http://127.0.0.1:3000${path}`, {
      method,
      headers: { authorization: `Bearer ${this.credential}`, "content-type": "application/json", ...sent.headers },
      ...(body === undefined ? {} : { body }),
    });
    const response = await handler(request, { params: Promise.resolve(sent.params ?? {}) });
    const text = await response.text();
    return {
      status: response.status,
      headers: response.headers,
      text,
      json: (text === "" ? null : JSON.parse(text)) as T,
    };
  }
}

/** Tool ids of a list, in its order. */
export function idsOf(list: Pick<List, "data">): string[] {
  return list.data.map((entry) => entry.tool_id);
}

/** The events of a stream, once it has ended. */
export async function eventsOf(
  response: Response,
): Promise<{ readonly event: string; readonly data: Record<string, unknown> }[]> {
  const text = await response.text();
  return [...text.matchAll(/event: (\w+)\ndata: (.*)\n/g)].map(([, event = "", data]) => ({
    event,
    data: JSON.parse(data ?? "") as Record<string, unknown>,
  }));
}
