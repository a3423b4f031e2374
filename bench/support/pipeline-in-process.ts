import { IncomingMessage, ServerResponse } from "node:http";
import { Socket } from "node:net";
import type { AtEnd } from "@/bench/support/closing";
import { measuredInstallation } from "@/bench/support/servers/measured-installation";
import type { Dependencies } from "@/lib/calls/pipeline/dependencies";

/** The pipeline in this process, on a database made for the measurement. */
interface PipelineInProcess {
  readonly production: Dependencies;
  /** Makes a function that calls the calculator once, from the request to the answer. The function throws when the call fails. */
  readonly callWith: (dependencies: Dependencies) => () => Promise<void>;
}

export async function pipelineInProcess(atEnd: AtEnd): Promise<PipelineInProcess> {
  const installation = await measuredInstallation();
  atEnd(installation.stop);
  // Imported after the environment is set.
  const { callToolWith } = await import("@/lib/agents/rest/call");
  const { production } = await import("@/lib/calls/pipeline/dependencies");
  const { closeDatabase } = await import("@/lib/store/db/database");
  const { closeSnapshot } = await import("@/lib/store/snapshot/snapshot");
  atEnd(closeDatabase);
  atEnd(closeSnapshot);
  const { FrontRequest } = await import("@/lib/server/front/front-request");
  const body = JSON.stringify({ tool_id: "builtin:calculate", arguments: { expression: "6 * 7" } });
  const headers = {
    host: "quartermaster",
    authorization: `Bearer ${installation.apiKey}`,
    "content-type": "application/json",
    "content-length": String(Buffer.byteLength(body)),
  };
  const socket = new Socket();
  /** The request as Node's parser gives it to the gateway. A `Request` of undici would cost more than the rest of it. */
  const received = () => {
    const incoming = new IncomingMessage(socket);
    Object.assign(incoming, { method: "POST", url: "/api/agents/tools/call", httpVersion: "1.1", headers });
    incoming.push(body);
    incoming.push(null);
    return new FrontRequest(incoming, new ServerResponse(incoming));
  };
  const callWith = (dependencies: Dependencies) => {
    const handler = callToolWith(() => dependencies);
    // As the gateway answers: without making a `Response`, which is a stream too.
    const answerCall = handler.answer ?? handler;
    return async () => {
      const answer = await answerCall(received());
      if (answer.status !== 200) throw new Error(`A call was answered with status ${answer.status}.`);
    };
  };
  return { production: production(), callWith };
}

/** Calls a second, and milliseconds of this process's processor for each. */
export interface Rate {
  readonly perSecond: number;
  readonly processor: number;
}

/** Makes `calls` calls with a given number in flight; an eighth of them with one in flight. */
export async function measureRate(
  makeCall: () => Promise<void>,
  { calls: most, inFlight }: { readonly calls: number; readonly inFlight: number },
): Promise<Rate> {
  const calls = inFlight === 1 ? most / 8 : most;
  let left = calls;
  const caller = async () => {
    while (left-- > 0) await makeCall();
  };
  const start = performance.now();
  const used = process.cpuUsage();
  await Promise.all(Array.from({ length: inFlight }, caller));
  const { user, system } = process.cpuUsage(used);
  return { perSecond: (1_000 * calls) / (performance.now() - start), processor: (user + system) / 1_000 / calls };
}
