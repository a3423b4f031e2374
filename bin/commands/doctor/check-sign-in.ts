import type { CheckResult } from "@/bin/commands/doctor/check-report";
import { env } from "@/lib/env";
import { isThisMachine } from "@/lib/resources/parts/plain-text";
import { db } from "@/lib/store/db/database";
import { readSettings } from "@/lib/store/config/settings";

/** A job replaces the key that signs tokens after 30 days. Five more days allow for a stopped gateway. */
const LATE_DAYS = 35;
const DAY_MS = 86_400_000;

/** Checks what MCP clients need to sign people in: an https address, and a key that a job replaces. */
export async function checkSignIn(now = new Date(), address = env.NEXTAUTH_URL): Promise<CheckResult[]> {
  const { settings } = await readSettings();
  if (!settings.clientSignIn.enabled) return [{ state: "ok", says: "Client sign-in is switched off." }];
  const results: CheckResult[] = [];
  const { protocol, hostname } = new URL(address);
  if (protocol !== "https:" && !isThisMachine(hostname))
    results.push({
      state: "problem",
      says: `MCP clients refuse to sign in at ${address}, because it is not https.`,
      todo: "Serve Quartermaster over TLS, and set NEXTAUTH_URL to its https address.",
    });
  const newest = await db().tokenKey.findFirst({ orderBy: { createdAt: "desc" } });
  const days = newest === null ? 0 : Math.floor((now.getTime() - newest.createdAt.getTime()) / DAY_MS);
  if (days > LATE_DAYS)
    results.push({
      state: "warning",
      says: `The key that signs tokens is ${days} days old. A job replaces it after 30.`,
      todo: "Check that a gateway runs, and its log for the job `token-keys`.",
    });
  if (results.length > 0) return results;
  const key = newest === null ? "The first sign-in creates the key." : `The key that signs tokens is ${days} days old.`;
  return [{ state: "ok", says: key }];
}
