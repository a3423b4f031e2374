import { createHash } from "node:crypto";
import { Client, type ClientOptions, type JsonSchemaValidator, type Transport } from "@modelcontextprotocol/client";
import { env } from "@/lib/env";
import { AppError } from "@/lib/errors";
import { toolTexts } from "@/lib/calls/mcp/list-page";
import { tooManyTools } from "@/lib/calls/mcp/read-list-page";
import { outboundStream } from "@/lib/outbound/stream";
import type { SourceRow } from "@/lib/resources/source";
import { inTurns } from "@/lib/store/db/in-turns";
import { sharedCredentials, type CredentialRequest } from "@/lib/calls/credentials/credentials";
import { HiddenTexts, HttpTransport } from "@/lib/calls/mcp/http-transport";
import { keepListening } from "@/lib/calls/mcp/keep-listening";
import { stdioServer } from "@/lib/calls/mcp/stdio-transport";

/** A source as far as a connection depends on it. */
export type McpSource = Pick<SourceRow, "name" | "url" | "command" | "auth">;

/** An open connection to a source's server. */
export interface McpConnection {
  readonly client: Client;
  /** Texts that must be masked in the server's messages. Every new token is added; old ones are dropped. */
  readonly hidden: ReadonlySet<string>;
  /** Every tool of the server, all pages, each as JSON text. @throws AppError when there are more than the installation takes */
  listTools(): Promise<readonly string[]>;
  /** Whether the server announces changes of its tools, and this connection has not listed them yet. */
  mayHaveMissedChanges(): boolean;
  close(): Promise<void>;
}

/** The events of a connection. */
interface McpListener {
  /** The server announces that its tools have changed. */
  readonly toolsChanged: () => void;
  /** Whether announcements arrive. Called when that changes, for a server of 2026-07-28. */
  readonly listening: (isListening: boolean) => void;
  /** Either side has closed the connection. */
  readonly closed: () => void;
}

/** The time limit for a server's answer to the first request, in milliseconds. */
const HANDSHAKE_MS = 10_000;
/** A stdio server that does not know the first request of 2026-07-28 may not answer; then it counts as one of 2025. */
const PROBE_MS = 3_000;
/** Milliseconds for each page of the list of tools. */
const PAGE_MS = 30_000;
/** Messages about changed tools within this time are one. */
const SETTLE_MS = 1_000;

/**
 * Connects to a source's server in the newer protocol era that it speaks (2026-07-28, else 2025-11-25 and before). The
 * server gets no capability of ours: requests for a model, a person or files are refused.
 *
 * @throws AppError, or whatever the client throws: see `toMcpFailure`
 */
export async function connectMcp(
  source: McpSource,
  caller: CredentialRequest["caller"],
  listener: McpListener,
): Promise<McpConnection> {
  const hidden = new HiddenTexts();
  const client = new Client({ name: "quartermaster", version: "1" }, optionsFor(listener));
  const { transport, discard } = await open(source, caller, hidden);
  let stopListening = () => {};
  Object.assign(client, {
    onclose: () => {
      stopListening();
      listener.closed();
      void discard();
    },
    // A failed request reports its own error; this listener has nothing to add.
    onerror: () => {},
  } satisfies Pick<Client, "onclose" | "onerror">);
  try {
    await client.connect(transport, { timeout: HANDSHAKE_MS });
  } catch (error) {
    await transport.close().catch(() => {});
    await discard();
    throw error;
  }
  let knownDigest: string | null = null;
  const list = () => allTools(client);
  const announcesChanges = client.getServerCapabilities()?.tools?.listChanged === true;
  if (announcesChanges && client.getProtocolEra() === "modern")
    stopListening = keepListening(client, {
      listening: listener.listening,
      // Lists the tools, because most interruptions change nothing.
      hasMissed: async () => (await digestOf(await list())) !== knownDigest,
      missed: listener.toolsChanged,
    });
  return {
    client,
    hidden,
    listTools: async () => {
      const tools = await list();
      knownDigest = await digestOf(tools);
      return tools;
    },
    mayHaveMissedChanges: () => knownDigest === null && announcesChanges,
    close: () => {
      stopListening();
      return close(client);
    },
  };
}

/** The most pages of a list. */
const MAX_PAGES = 500;
/** The most characters of all tools, the same as for an imported document. */
const MAX_CHARACTERS = 32 * 1024 * 1024;

/** Reads the pages one by one and checks the bounds before each next page. The library would read all pages first. */
async function allTools(client: Client): Promise<readonly string[]> {
  if (client.getServerCapabilities()?.tools === undefined) return [];
  const most = env.MCP_TOOLS_PER_SOURCE;
  const all: string[] = [];
  let characters = 0;
  let cursor: string | undefined;
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const params = cursor === undefined ? {} : { params: { cursor } };
    const { tools, nextCursor } = await client.request({ method: "tools/list", ...params }, { timeout: PAGE_MS });
    for (const text of toolTexts(tools)) {
      all.push(text);
      characters += text.length;
    }
    if (all.length > most) throw tooManyTools(all.length, most);
    if (characters > MAX_CHARACTERS)
      throw new AppError("result_too_large", "The server's tools are larger than 32 MiB.");
    if (nextCursor === undefined || nextCursor === cursor) return all;
    cursor = nextCursor;
  }
  throw new AppError("result_too_large", "The server's list of tools does not end.");
}

async function digestOf(tools: readonly string[]): Promise<string> {
  const hash = createHash("sha256");
  for await (const text of inTurns(tools)) hash.update(text).update("\n");
  return hash.digest("base64");
}

function optionsFor({ toolsChanged }: McpListener): ClientOptions {
  return {
    capabilities: {},
    versionNegotiation: { mode: "auto", probe: { timeoutMs: PROBE_MS } },
    inputRequired: { autoFulfill: false },
    // The pipeline validates answers against the schema: the client's validator would run code made from an upstream's schema.
    jsonSchemaValidator: { getValidator: takesAll },
    listChanged: { tools: { autoRefresh: false, debounceMs: SETTLE_MS, onChanged: toolsChanged } },
  };
}

function takesAll<T>(): JsonSchemaValidator<T> {
  return (input) => ({ valid: true, data: input as T, errorMessage: undefined });
}

interface Opened {
  readonly transport: Transport;
  readonly discard: () => Promise<void>;
}

async function open(source: McpSource, caller: CredentialRequest["caller"], hidden: HiddenTexts): Promise<Opened> {
  const { name, url, command } = source;
  if (command !== null) return stdioServer(name, command);
  if (url === null) throw new AppError("upstream_error", `The source \`${name}\` has neither a URL nor a command.`);
  const access = { source, caller, url, send: outboundStream, credentials: sharedCredentials(), hidden };
  return { transport: new HttpTransport(access), discard: async () => {} };
}

/** Ends the session on the server. A failure is ignored: the session is lost, or never existed. */
async function close(client: Client): Promise<void> {
  const { transport } = client;
  if (transport instanceof HttpTransport) await transport.terminateSession().catch(() => {});
  await client.close();
}
