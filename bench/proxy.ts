import { startCaller, type Called } from "@/bench/support/servers/caller";
import { closing, type AtEnd } from "@/bench/support/closing";
import type { Load } from "@/bench/support/load";
import { stateless } from "@/bench/support/mcp-load";
import { median, percentile, report } from "@/bench/support/measure";
import { measuredGateway } from "@/bench/support/servers/measured-app";
import { measuredInstallation } from "@/bench/support/servers/measured-installation";
import { ARGUMENTS, ECHO, HANGING, measuredUpstream } from "@/bench/support/servers/measured-upstream";

// Measures a call through us against the same call sent directly to its upstream, over HTTP and MCP. Ours checks the
// credential, resolves 10,000 tools under 1,000 policies, validates the arguments and logs the call; this has no goal.
// Then measures what a source that never answers costs the calls of another source.

const ROUNDS = 5;
const SECONDS = 2;
/** More callers than the source's call slots, so that some of them wait. */
const HANGING_CALLERS = 16;
/** Shorter than the tool's timeout of 8 s, so that the calls hang for the whole measurement. */
const NEIGHBOUR_SECONDS = 4;

await closing(measure);

async function measure(atEnd: AtEnd): Promise<void> {
  const upstream = await measuredUpstream();
  atEnd(upstream.stop);
  const installation = await measuredInstallation(upstream.beside);
  atEnd(installation.stop);
  const gateway = await measuredGateway(installation.env);
  atEnd(gateway.stop);
  const caller = await startCaller();
  atEnd(caller.stop);
  const headers = { authorization: `Bearer ${installation.apiKey}` };
  const through = (tool: string): Load => ({
    url: `${gateway.url}/api/agents/tools/call`,
    body: JSON.stringify({ tool_id: tool, arguments: ARGUMENTS }),
    headers,
    status: 200,
  });

  const compare = async (what: string, straight: Load, proxied: Load) => {
    await requireSuccess(proxied);
    for (const inFlight of [1, 16]) {
      const rounds: { readonly straight: Called; readonly proxied: Called }[] = [];
      for (let round = -1; round < ROUNDS; round += 1) {
        const one = {
          straight: await caller.call(straight, inFlight, SECONDS),
          proxied: await caller.call(proxied, inFlight, SECONDS),
        };
        if (round >= 0) rounds.push(one);
      }
      const of = (figure: (called: Called) => number, kind: "straight" | "proxied") =>
        median(rounds.map((round) => figure(round[kind])));
      const ratio = (figure: (called: Called) => number) =>
        median(rounds.map((round) => figure(round.proxied) / figure(round.straight)));
      const p50 = ({ took }: Called) => percentile(took, 50);
      const rate = ({ perSecond }: Called) => perSecond;
      console.log(
        `        ${what}, ${inFlight} in flight, through us / straight: ` +
          `p50 ${of(p50, "proxied").toFixed(2)} / ${of(p50, "straight").toFixed(2)} ms = ${ratio(p50).toFixed(1)}, ` +
          `calls a second ${of(rate, "proxied").toFixed(0)} / ${of(rate, "straight").toFixed(0)} = ${ratio(rate).toFixed(4)}`,
      );
    }
  };
  await compare("HTTP", upstream.plain, through("plain:order"));
  await compare("MCP", upstream.remote, stateless(`${gateway.url}/mcp`, ECHO, headers));

  const alone: number[] = [];
  const beside: number[] = [];
  for (const source of HANGING) {
    alone.push(...(await caller.call(through("plain:order"), 4, NEIGHBOUR_SECONDS)).took);
    const hung = hang(through(`${source}:wait`));
    beside.push(...(await caller.call(through("plain:order"), 4, NEIGHBOUR_SECONDS)).took);
    hung.requireAll();
    await hung.ended;
  }
  const [before, after] = [percentile(alone, 99), percentile(beside, 99)];
  console.log(
    `        ${alone.length} calls alone, p99 ${before.toFixed(2)} ms; ${beside.length} beside, ${after.toFixed(2)} ms`,
  );
  report("p99 of a source beside one that hangs / alone", after / before, { atMost: 1.1 });
}

/** Checks the body, because a failed call is answered with 200 too. */
async function requireSuccess({ url, headers = {}, body = "" }: Load): Promise<void> {
  const answer = await fetch(url, {
    method: "POST",
    headers: { ...headers, "content-type": "application/json" },
    body,
  });
  const text = await answer.text();
  if (!answer.ok || !text.includes("order-1")) throw new Error(`${url}: ${answer.status} ${text}`);
}

/** Callers of a tool that never answers. */
interface Hanging {
  /** @throws when one of the calls has been answered: then the figure compares with nothing that hangs */
  requireAll(): void;
  /** Resolves when the tool's timeout has ended all calls. */
  readonly ended: Promise<unknown>;
}

function hang({ url, headers = {}, body = "" }: Load): Hanging {
  const request = { method: "POST", headers: { ...headers, "content-type": "application/json" }, body };
  const answers: string[] = [];
  const waits = Array.from({ length: HANGING_CALLERS }, async () =>
    answers.push(await (await fetch(url, request)).text()),
  );
  return {
    requireAll: () => {
      if (answers.length > 0) throw new Error(`${answers.length} calls did not hang all the while: ${answers[0]}`);
    },
    ended: Promise.all(waits),
  };
}
