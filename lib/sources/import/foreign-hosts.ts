import { AppError } from "@/lib/errors";
import type { ImportHost } from "@/lib/contracts/sources/import-job";
import type { ToolInput } from "@/lib/resources/tool";

type Called = Pick<ToolInput, "run">;

/** The host that calls of a tool go to, with its port; `null` for a tool that is no HTTP request. */
export function hostOf({ run }: Called): string | null {
  if (run?.kind !== "http") return null;
  // Path parameters stand in braces, which end no host.
  return URL.canParse(run.url) ? new URL(run.url).host : run.url.slice(0, 255);
}

/**
 * Every host that calls of an import would go to. Foreign is one that no tool of the source calls yet and no person
 * chose: an operation with a server of its own sends its arguments there. The document's own server counts only for a
 * source without tools, because a document may move it later.
 *
 * @param imported how many of the import's tools call each host
 * @param servers the document's own server, and the one that the import was started with; `null` = none
 */
export function hostsOf(
  imported: ReadonlyMap<string, number>,
  stored: Iterable<Called>,
  servers: { readonly document: string | null; readonly chosen: string | null },
): ImportHost[] {
  const known = new Set([...stored].flatMap((tool) => hostOf(tool) ?? []));
  const home = known.size === 0 ? [servers.document, servers.chosen] : [servers.chosen];
  for (const server of home) if (server !== null && URL.canParse(server)) known.add(new URL(server).host);
  return [...imported].map(([host, tools]) => ({ host, tools, foreign: !known.has(host) }));
}

/** Whether calls of a tool go to a host that somebody must accept first. A host that no plan names is foreign. */
export function goesAbroad(tool: Called, hosts: readonly ImportHost[]): boolean {
  const host = hostOf(tool);
  return host !== null && hosts.find((one) => one.host === host)?.foreign !== false;
}

/** @throws AppError `invalid_request` naming each foreign host that is not accepted */
export function requireAccepted(
  tools: readonly Called[],
  hosts: readonly ImportHost[],
  accepted: readonly string[],
): void {
  const foreign = tools.filter((tool) => goesAbroad(tool, hosts)).map(hostOf);
  const missing = [...new Set(foreign)].filter((host) => host !== null && !accepted.includes(host));
  if (missing.length === 0) return;
  throw new AppError("invalid_request", "Calls would go to hosts that are not accepted.", {
    errors: missing.map((host) => ({
      path: "hosts",
      message: `calls would go to \`${host}\`, which the document's own server does not name: list it in \`hosts\` to accept it`,
    })),
  });
}
