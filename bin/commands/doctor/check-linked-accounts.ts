import type { CheckResult } from "@/bin/commands/doctor/check-report";
import { discoverUpstream } from "@/lib/calls/linked-accounts/discovery";
import { LinkProblem } from "@/lib/calls/linked-accounts/link-problem";
import { findLinkable } from "@/lib/calls/linked-accounts/linkable";
import { outbound } from "@/lib/outbound/fetch";
import { countLinks } from "@/lib/store/keys/linked-account-rows";

/** The most sources whose metadata are read. */
const MAX_SOURCES = 20;

/**
 * Checks the sources with linked accounts: whether a person could sign in there now, and whether tokens were refreshed.
 */
export async function checkLinkedAccounts(now = Date.now()): Promise<CheckResult[]> {
  const counts = await countLinks();
  if (counts.length === 0) return [{ state: "ok", says: "Nobody has linked an account." }];
  const sources = [...new Set(counts.map(({ source }) => source))];
  const results: CheckResult[] = [];
  for (const source of sources.slice(0, MAX_SOURCES)) results.push(...(await checkMetadata(source, now)));
  for (const { source, failing } of counts.filter(({ failing: some }) => some > 0))
    results.push({
      state: "warning",
      says: `The last refresh of ${failing} linked accounts of ${source} failed.`,
      todo: `Check that ${source}'s authorization server answers, and that its client and secret are still registered there.`,
    });
  for (const { source, accounts } of counts.filter(({ state }) => state === "sign_in_again"))
    results.push({
      state: "warning",
      says: `The upstream of ${source} has ended ${accounts} linked accounts.`,
      todo: "Their people link them again under Linked accounts.",
    });
  if (results.length > 0) return results;
  const all = counts.reduce((sum, { accounts }) => sum + accounts, 0);
  return [{ state: "ok", says: `${all} linked accounts of ${sources.length} sources.` }];
}

async function checkMetadata(name: string, now: number): Promise<CheckResult[]> {
  const source = await findLinkable(name);
  // Nobody signs in to a disabled source.
  if (source === null) return [];
  try {
    await discoverUpstream(source, outbound, now, true);
    return [];
  } catch (error) {
    if (!(error instanceof LinkProblem)) throw error;
    return [
      {
        state: "problem",
        says: `Nobody can link an account of ${name}: ${error.message}`,
        todo: `Check the metadata of the API and of its authorization server, or set \`issuer\` in the \`auth\` of ${name}.`,
      },
    ];
  }
}
