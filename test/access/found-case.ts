import { createHash } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Seen } from "@/test/access/seen";
import type { World } from "@/test/access/worlds";

const folder = join(import.meta.dirname, "cases", "found");

/** Saves a world in which core and oracle disagree as a file with one JSON case, and returns the file's path. */
export function keepAsCase(world: World, oracle: Seen): string {
  const text = `${JSON.stringify(toCaseFile(world, oracle), null, 2)}\n`;
  mkdirSync(folder, { recursive: true });
  const path = join(folder, `${createHash("sha256").update(text).digest("hex").slice(0, 12)}.json`);
  writeFileSync(path, text);
  return path;
}

/**
 * A world as the content of a case file with the oracle's answer as expectation. Its rows are stored rows, because
 * saving would refuse some.
 */
export function toCaseFile({ configuration, request, now, calls }: World, oracle: Seen): object {
  const { settings, sources, tools, groups, policies, machines, intents, flows, pauses } = configuration;
  const { driftAcceptances, accessGrants } = configuration;
  const { claims, agent, profiles, capabilities, escalated, includeDisabled, ...asked } = request;
  const [profile, pinned] = profiles.toReversed();
  const stated = Object.entries({ ...asked, profile }).filter(([, value]) => value !== null && value !== undefined);
  const named = agent !== null || pinned !== undefined;
  return {
    configuration: { settings },
    cases: [
      {
        name: "found by fuzzing: say here what it shows",
        spec: "property tests generate configurations and requests and require both to agree, explanation included",
        stored: { sources, tools, groups, policies, machines, intents, flows },
        pauses,
        driftAcceptances,
        accessGrants,
        now: new Date(now).toISOString(),
        ...(named && { agent: { name: agent ?? "nobody", ...(pinned !== undefined && { profile: pinned }) } }),
        request: { claims, ...Object.fromEntries(stated), capabilities, escalated, includeDisabled },
        expect: expectationOf(oracle, calls),
      },
    ],
  };
}

function expectationOf(oracle: Seen, calls: World["calls"]): object {
  const { visible, hidden, exposedNames, notCallable, conditional, groups, grantedGroups, unknownGroups } = oracle;
  const { requestedGroups, matchedPolicies, requestable, state, next, mode, tier, missingCapabilities, fixes } = oracle;
  return {
    visible,
    hidden,
    failing: Object.fromEntries(
      Object.entries(oracle.failing).map(([tool, steps]) => [tool, steps.map(([step]) => step)]),
    ),
    exposedNames,
    notCallable,
    conditional,
    groups,
    grantedGroups,
    unknownGroups,
    requestedGroups,
    matchedPolicies,
    requestable,
    outcomes: Object.fromEntries(
      oracle.policies
        .filter(({ skipped }) => skipped === null)
        .map(({ name, matchers }) => [name, matchers.map(({ outcome }) => outcome)]),
    ),
    state,
    next,
    mode,
    tier,
    missingCapabilities,
    fixes,
    calls: calls.map((call, at) => ({ ...call, allowed: oracle.refusals[at] === null })),
  };
}
