import { AppError } from "@/lib/errors";
import type { ImportHost } from "@/lib/contracts/sources/import-job";
import type { ToolInput } from "@/lib/resources/tool";

type Called = Pick<ToolInput, "run">;
/** The tools of an import that call one host. */
type CalledHost = Pick<ImportHost, "tools" | "bases">;

const MAX_BASES = 10;

/**
 * The origin of a tool's calls; `null` for a tool that is no HTTP request. The scheme counts, because calls over http send
 * credentials unencrypted.
 */
export function originOf({ run }: Called): string | null {
  if (run?.kind !== "http") return null;
  // Braces of path parameters do not affect the origin.
  return URL.canParse(run.url) ? new URL(run.url).origin : run.url.slice(0, 255);
}

/** Counts tools at their hosts, with the addresses that the paths of their operations are added to. */
export function countHosts(called: Map<string, CalledHost>, tools: readonly Pick<ToolInput, "run" | "path">[]): void {
  for (const tool of tools) {
    const { run, path } = tool;
    const host = originOf(tool);
    if (host === null || run?.kind !== "http") continue;
    const base = path !== null && run.url.endsWith(path) ? run.url.slice(0, -path.length) : host;
    const { tools: before, bases } = called.get(host) ?? { tools: 0, bases: [] };
    called.set(host, { tools: before + 1, bases: [...new Set([...bases, base])].slice(0, MAX_BASES) });
  }
}

/**
 * The hosts that an import's tools would call. A host is foreign if no tool of the source calls it yet and no person chose
 * it. The document's own server is trusted only for a source without tools, because a document may change it later.
 *
 * @param imported the import's tools per host
 * @param servers the document's own server, and the one chosen for this import; `null` = none
 */
export function hostsOf(
  imported: ReadonlyMap<string, CalledHost>,
  stored: Iterable<Called>,
  servers: { readonly document: string | null; readonly chosen: string | null },
): ImportHost[] {
  const known = new Set([...stored].flatMap((tool) => originOf(tool) ?? []));
  const home = known.size === 0 ? [servers.document, servers.chosen] : [servers.chosen];
  for (const server of home) if (server !== null && URL.canParse(server)) known.add(new URL(server).origin);
  return [...imported].map(([host, called]) => ({ host, ...called, foreign: !known.has(host) }));
}

/** Whether a tool calls a host that a person must accept first. A host that is not in the plan is foreign. */
export function callsForeignHost(tool: Called, hosts: readonly ImportHost[]): boolean {
  const host = originOf(tool);
  return host !== null && hosts.find((one) => one.host === host)?.foreign !== false;
}

/** @throws AppError `invalid_request` naming each foreign host that is not accepted */
export function requireAccepted(
  tools: readonly Called[],
  hosts: readonly ImportHost[],
  accepted: readonly string[],
): void {
  const foreign = tools.filter((tool) => callsForeignHost(tool, hosts)).map(originOf);
  const missing = [...new Set(foreign)].filter((host) => host !== null && !accepted.includes(host));
  if (missing.length === 0) return;
  throw new AppError("invalid_request", "The tools would call hosts that are not accepted.", {
    errors: missing.map((host) => ({
      path: "hosts",
      message: `calls would go to \`${host}\`, which no tool of the source calls yet: add it to \`hosts\` to accept it`,
    })),
  });
}
