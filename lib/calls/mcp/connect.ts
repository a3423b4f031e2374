import { createHash } from "node:crypto";
import {
  Client,
  type ClientOptions,
  type JsonSchemaValidator,
  type Tool,
  type Transport,
} from "@modelcontextprotocol/client";
import { AppError } from "@/lib/errors";
import { outboundStream } from "@/lib/outbound/stream";
import type { SourceRow } from "@/lib/resources/source";
import { sharedCredentials, type Wanting } from "@/lib/calls/credentials/credentials";
import { HttpTransport } from "@/lib/calls/mcp/http-transport";
import { keepListening } from "@/lib/calls/mcp/keep-listening";
import { stdioServer } from "@/lib/calls/mcp/stdio-transport";

/** A source as far as a connection depends on it. */
export type McpSource = Pick<SourceRow, "name" | "url" | "command" | "auth">;

/** An open connection to a source's server. */
export interface McpConnection {
  readonly client: Client;
  /** What must be masked in whatever the server says; grows with every token that is got. */
  readonly hidden: ReadonlySet<string>;
  /** Every tool of the server, all pages. */
  listTools(): Promise<readonly Tool[]>;
  /** Whether the server tells when its tools change, and was not asked for them since this connection is open. */
  mayHaveMissedChanges(): boolean;
  close(): Promise<void>;
}

/** What a connection tells on its own. */
export interface McpListener {
  /** The server says that its tools are others now. */
  readonly toolsChanged: () => void;
  /** Whether changes are heard: told when that changes, by a server of 2026-07-28. */
  readonly listening: (isHeard: boolean) => void;
  /** The connection is gone, by whoever's doing. */
  readonly closed: () => void;
}

/** Milliseconds until a server must have answered who it is. */
const HANDSHAKE_MS = 10_000;
/** A server over stdio that does not know the question of 2026-07-28 may keep silent; then it is of 2025. */
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
  caller: Wanting["caller"],
  listener: McpListener,
): Promise<McpConnection> {
  const hidden = new Set<string>();
  const client = new Client({ name: "quartermaster", version: "1" }, optionsFor(listener));
  const { transport, discard } = await open(source, caller, hidden);
  let stopListening = () => {};
  Object.assign(client, {
    onclose: () => {
      stopListening();
      listener.closed();
      void discard();
    },
    // What goes wrong with a request is that request's failure; there is nobody else to tell.
    onerror: () => {},
  } satisfies Pick<Client, "onclose" | "onerror">);
  try {
    await client.connect(transport, { timeout: HANDSHAKE_MS });
  } catch (error) {
    await transport.close().catch(() => {});
    await discard();
    throw error;
  }
  let heard: string | null = null;
  const list = async () => {
    const { tools } = await client.listTools(undefined, { cacheMode: "refresh", timeout: PAGE_MS });
    return tools;
  };
  const tells = client.getServerCapabilities()?.tools?.listChanged === true;
  if (tells && client.getProtocolEra() === "modern")
    stopListening = keepListening(client, {
      heard: listener.listening,
      // What changed while nobody listened is found by asking: most interruptions change nothing.
      missed: () =>
        void list().then(
          (tools) => digestOf(tools) === heard || listener.toolsChanged(),
          () => {},
        ),
    });
  return {
    client,
    hidden,
    listTools: async () => {
      const tools = await list();
      heard = digestOf(tools);
      return tools;
    },
    mayHaveMissedChanges: () => heard === null && tells,
    close: () => {
      stopListening();
      return close(client);
    },
  };
}

function digestOf(tools: readonly Tool[]): string {
  return createHash("sha256").update(JSON.stringify(tools)).digest("base64");
}

function optionsFor({ toolsChanged }: McpListener): ClientOptions {
  return {
    capabilities: {},
    versionNegotiation: { mode: "auto", probe: { timeoutMs: PROBE_MS } },
    inputRequired: { autoFulfill: false },
    // Answers are held to the schema by the pipeline: the client's validator would run code made from a stranger's schema.
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

async function open(source: McpSource, caller: Wanting["caller"], hidden: Set<string>): Promise<Opened> {
  const { name, url, command } = source;
  if (command !== null) return stdioServer(name, command);
  if (url === null) throw new AppError("upstream_error", `The source \`${name}\` has neither a URL nor a command.`);
  const access = { source, caller, url, send: outboundStream, credentials: sharedCredentials(), hidden };
  return { transport: new HttpTransport(access), discard: async () => {} };
}

/** A session that its server keeps is given back; one that is lost, or never was, is not worth a word. */
async function close(client: Client): Promise<void> {
  const { transport } = client;
  if (transport instanceof HttpTransport) await transport.terminateSession().catch(() => {});
  await client.close();
}
