import { expect, vi } from "vitest";
import { GET as listExecutions } from "@/app/api/admin/executions/route";
import { GET as exportExecutions } from "@/app/api/admin/executions/export/route";
import { GET as exportAudit } from "@/app/api/admin/exports/audit/route";
import { GET as exportDeliveries } from "@/app/api/admin/exports/deliveries/route";
import { GET as exportDenials } from "@/app/api/admin/exports/denials/route";
import { GET as exportDrift } from "@/app/api/admin/exports/drift/route";
import { GET as exportFindings } from "@/app/api/admin/exports/findings/route";
import { GET as exportSessions } from "@/app/api/admin/exports/sessions/route";
import type { Handler } from "@/lib/http/route";
import { readMetrics } from "@/lib/server/metrics";
import { ask } from "@/test/support/admin";
import type { TestDatabase } from "@/test/support/database";
import { findInDatabase } from "@/test/support/find-in-database";

/** Collects what the process writes to its output from now on, instead of writing it. */
export function captureOutput(lines: string[]): void {
  vi.spyOn(process.stdout, "write").mockImplementation((text) => {
    lines.push(String(text));
    return true;
  });
}

/** Every planted secret contains this text or `UPPER`. It leaks wherever one of the two appears. */
export const CORE = "Zq7xKw9vB3nM5tR8yU1pL4sD6fG2hJ0c";
/** For AWS access key ids, which have only capitals and digits. */
export const UPPER = "ZQ7XKW9VB3NM5TR8";
/** A secret of each of thirty shapes. */
export const SECRETS: readonly string[] = [
  `Bearer ${CORE}`,
  `Basic ${CORE}`,
  `sk_live_${CORE}`,
  `sk-proj-${CORE}`,
  `sk-ant-${CORE}`,
  `ghp_${CORE}`,
  `github_pat_${CORE}`,
  `glpat-${CORE}`,
  `xoxb-${CORE}`,
  `AKIA${UPPER}`,
  `eyJhbGciOiJIUzI1NiJ9.${CORE}.${CORE}`,
  `qm_abcdefgh_${CORE}`,
  `npm_${CORE}`,
  `hf_${CORE}`,
  `AIza${CORE}`,
  `SG.${CORE}.${CORE}`,
  `ya29.${CORE}`,
  `whsec_${CORE}`,
  `postgres://user:${CORE}@db/x`,
  `-----BEGIN PRIVATE KEY-----\n${CORE}\n-----END PRIVATE KEY-----`,
  `password=${CORE}`,
  `api_key=${CORE}&page=2`,
  `client_secret="${CORE} ${CORE}"`,
  `https://a.example/?access_token=${CORE}`,
  `{"password":"${CORE}"}`,
  `said {\\"secret\\":\\"${CORE}\\"}`,
  `Bearer%20${CORE}`,
  `authorization%3a%20Bearer%20${CORE}`,
  `x-api-key: ${CORE}`,
  `Cookie: sid=${CORE}; other=${CORE}`,
];
/** Exported lists that hold texts of callers or upstreams. */
const LISTS: Readonly<Record<string, Handler>> = {
  audit: exportAudit,
  deliveries: exportDeliveries,
  denials: exportDenials,
  drift: exportDrift,
  findings: exportFindings,
  sessions: exportSessions,
};

/** The text of every export, by name. */
async function readExports(): Promise<Record<string, string>> {
  const texts: Record<string, string> = {};
  for (const format of ["jsonl", "csv", "ocsf"]) {
    const address = `/api/admin/executions/export?format=${format}&bodies=${format !== "ocsf"}`;
    texts[`executions.${format}`] = (await ask(exportExecutions, "GET", address)).text;
  }
  for (const [name, handler] of Object.entries(LISTS)) {
    const got = await ask(handler, "GET", `/api/admin/exports/${name}?format=jsonl`);
    expect([name, got.status]).toEqual([name, 200]);
    texts[name] = got.text;
  }
  return texts;
}

/**
 * The places that contain one of the texts: tables, exports, metrics, the process's log.
 * @param lines what the process has logged
 */
export async function leaksOf(
  database: TestDatabase,
  lines: readonly string[],
  texts: readonly string[],
): Promise<string[]> {
  const found: string[] = [];
  const exported = await readExports();
  const listed = (await ask(listExecutions, "GET", "/api/admin/executions", {})).text;
  const metrics = await (await readMetrics(new Request("http://127.0.0.1:3000/api/metrics"))).text();
  for (const text of texts) {
    found.push(...(await findInDatabase(database, text)));
    for (const [name, content] of Object.entries({ ...exported, listed, metrics, log: lines.join("") }))
      if (content.includes(text)) found.push(name);
  }
  return found;
}
