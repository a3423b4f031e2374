import type { Index } from "@/lib/access/compile/compile";
import type { Effect } from "@/lib/access/model/configuration";
import { toFinding, type Finding, type Witness } from "@/lib/access/findings/finding";
import { alwaysHolds, opacityOf, toConstraints, type Constraints } from "@/lib/access/findings/constraints";
import { exampleClaims } from "@/lib/access/findings/example";
import { neverMatches, numbered, type Never } from "@/lib/access/findings/never";
import { findPairs, type Pair } from "@/lib/access/findings/pairs";
import { toWitness } from "@/lib/access/findings/witness";
import type { Parts } from "@/lib/access/model/parts";
import { skippedAt, isUnconditional } from "@/lib/access/compile/policies";

/** The findings about policies, and by effect the policies that may match somebody now or later. */
interface PolicyFindings {
  readonly findings: readonly Finding[];
  readonly granting: readonly Constraints[];
  readonly requesting: readonly Constraints[];
  readonly denying: readonly Constraints[];
  /** Policies that deny their groups to every caller now, for any arguments. */
  readonly universalDenies: readonly Constraints[];
}

/**
 * Findings about the callers that policies match. Ignores inactive and observed policies, because they decide nothing. Shows a
 * finding about matching only with a witness that the resolver confirms. Pauses before each policy and each pair.
 */
export function* findInPolicies(index: Index, now: number): Parts<PolicyFindings> {
  const findings: Finding[] = [];
  const live: Constraints[] = [];
  const universal = new Set<Constraints>();
  for (const compiled of index.policies) {
    yield;
    if (compiled.grant !== null) continue;
    const skipped = skippedAt(compiled, now);
    if (skipped === "inactive" || skipped === "observed") continue;
    const policy = toConstraints(compiled);
    const never = neverMatches(policy);
    if (never !== null) findings.push(...neverFinding(index, policy, never, now));
    else if (skipped === "expired") findings.push(expired(policy));
    else {
      live.push(policy);
      if (matchesEveryone(policy)) {
        universal.add(policy);
        findings.push(...everyoneFinding(index, policy, now));
      }
      findings.push(...opaque(policy));
    }
  }
  const { pairs, unfinished } = yield* findPairs(live, now);
  for (const pair of pairs) {
    yield;
    if (endsGrants(index, pair, now)) continue;
    findings.push(...pairFinding(index, pair, now));
  }
  for (const policy of unfinished)
    findings.push(
      notAnalysed(policy, "was not compared with other policies, because too many are similar", "comparison"),
    );
  const withEffect = (effect: Effect) => live.filter(({ compiled }) => compiled.policy.effect === effect);
  const denying = withEffect("deny");
  const universalDenies = denying.filter(
    (one) => universal.has(one) && one.compiled.arguments.length === 0 && skippedAt(one.compiled, now) === null,
  );
  return { findings, granting: withEffect("allow"), requesting: withEffect("request"), denying, universalDenies };
}

/** What a policy does with its groups. */
export const VERBS = { allow: "grants", deny: "denies", request: "offers access to" } as const;

const about = ({ compiled }: Constraints) => ({ kind: "policy" as const, name: compiled.policy.name });
const nameOf = ({ compiled }: Constraints): string => `\`${compiled.policy.name}\``;

/** The instant at which to test a policy: now, or when it starts to be valid. */
function instantOf({ compiled }: Constraints, now: number): number {
  return Number.isFinite(compiled.from) ? Math.max(compiled.from, now) : now;
}

/** The example claims satisfy every matcher except the contradicting ones. */
function neverFinding(index: Index, policy: Constraints, never: Never, now: number): readonly Finding[] {
  const { name } = policy.compiled.policy;
  const at = instantOf(policy, now);
  const close = never.matchers.slice(0, -1);
  const claims =
    close.length === 0
      ? null
      : exampleClaims(policy, at, new Set(never.matchers.filter((one) => !close.includes(one))));
  const witness = toWitness(index, claims ?? exampleClaims(policy, at, new Set(never.matchers)) ?? {}, at);
  if (witness.matched.includes(name)) return [];
  return [
    toFinding({
      kind: "never_matches",
      about: about(policy),
      text: `${nameOf(policy)} matches no caller: ${never.why}.`,
      fix:
        never.matchers.length === 0
          ? "Correct the policy, or delete it."
          : `Change ${numbered(never.matchers)}, or delete the policy.`,
      witness,
    }),
  ];
}

function matchesEveryone({ compiled, all }: Constraints): boolean {
  const { policy, matchers } = compiled;
  return matchers.length === 0 ? isUnconditional(compiled) : all.every((one) => alwaysHolds(policy.effect, one));
}

function everyoneFinding(index: Index, policy: Constraints, now: number): readonly Finding[] {
  const { effect, everyone, matchers, name } = policy.compiled.policy;
  const witness = toWitness(index, {}, instantOf(policy, now));
  if (!witness.matched.includes(name)) return [];
  const isIntended = everyone && matchers.length === 0;
  const verb = `${VERBS[effect]} its groups ${effect === "request" ? "for" : "to"}`;
  return [
    toFinding({
      kind: "matches_everyone",
      severity: isIntended ? "info" : "warning",
      about: about(policy),
      text: isIntended
        ? `${nameOf(policy)} ${verb} every caller, because \`everyone\` is set.`
        : `${nameOf(policy)} ${verb} every caller, although \`everyone\` is not set.`,
      fix: isIntended
        ? "Ignore this if it is intended. Otherwise add conditions."
        : "Correct the conditions, or set `everyone`.",
      witness,
    }),
  ];
}

function expired(policy: Constraints): Finding {
  const until = policy.compiled.policy.validUntil;
  return toFinding({
    kind: "expired",
    about: about(policy),
    text: `${nameOf(policy)} has expired: it was valid until ${until ?? "an invalid time"}.`,
    fix: "Delete, deactivate or extend the policy.",
  });
}

/** Whether deleting the redundant request policy would end access grants: another request policy does not keep them. */
function endsGrants({ policies }: Index, { policy, by }: Pair, now: number): boolean {
  if (by.compiled.policy.effect !== "request") return false;
  return policies.some(({ grant, until }) => grant?.policy === policy.compiled.policy.name && until > now);
}

function pairFinding(index: Index, { kind, policy, by }: Pair, now: number): readonly Finding[] {
  const at = instantOf(policy, now);
  const other = by.compiled.policy;
  const claims = exampleClaims(policy, at);
  const witness = claims === null ? null : toWitness(index, claims, at);
  if (witness === null || !shows(witness, policy, other.name, kind))
    return [notAnalysed(policy, `seems ${kind} by \`${other.name}\`, but no example claims were found`, other.name)];
  const verb = VERBS[other.effect];
  return [
    toFinding({
      kind,
      about: about(policy),
      what: other.name,
      text:
        kind === "shadowed"
          ? `${nameOf(policy)} never ${VERBS[policy.compiled.policy.effect]} anything: \`${other.name}\` denies the same groups to every caller of this policy.`
          : `${nameOf(policy)} is redundant: \`${other.name}\` already ${verb} the same groups to every caller of this policy.`,
      fix:
        kind === "shadowed"
          ? `Delete the policy, or narrow \`${other.name}\`.`
          : `Delete the policy, or change how it differs from \`${other.name}\`.`,
      refs: [{ kind: "policy", name: other.name }],
      witness,
    }),
  ];
}

function shows(witness: Witness, { compiled }: Constraints, other: string, kind: Pair["kind"]): boolean {
  if (!witness.matched.includes(compiled.policy.name) || !witness.matched.includes(other)) return false;
  return kind === "redundant" || !compiled.policy.groups.some((group) => witness.grantedGroups.includes(group));
}

/** One finding per policy: the matchers that the analysis could not conclude from. */
function opaque(policy: Constraints): readonly Finding[] {
  const matchers = policy.all.flatMap((one) => {
    const why = opacityOf(one);
    return why === null ? [] : [`condition ${one.at + 1} (\`${one.path.text}\`: ${why})`];
  });
  return matchers.length === 0 ? [] : [notAnalysed(policy, `was not analysed in ${matchers.join(", ")}`, "matchers")];
}

function notAnalysed(policy: Constraints, what: string, key: string): Finding {
  return toFinding({
    kind: "not_analysed",
    about: about(policy),
    what: key,
    text: `${nameOf(policy)} ${what}.`,
    fix: "Preview the policy with claims that should match, and with claims that should not.",
  });
}
