import type { Index } from "@/lib/access/compile/compile";
import type { JsonObject } from "@/lib/access/model/configuration";
import { findingId, type Finding } from "@/lib/access/findings/finding";
import { findFindingsInParts, findingsHoldUntil, inOrder } from "@/lib/access/findings/findings";
import { findIdleAgents, IDLE_DAYS } from "@/lib/access/findings/exposure";
import { findMisfits, type Misfit } from "@/lib/access/findings/output";
import { findUnseenClaims } from "@/lib/access/findings/seen";
import { findUnused, type Unused } from "@/lib/access/findings/unused";
import { VOLATILE } from "@/lib/audit/record/claims";
import { REDACTED } from "@/lib/audit/record/redact";
import type { FindingQuery, FindingRow, FindingsOutput } from "@/lib/contracts/decisions/finding";
import { MAX_CALLERS } from "@/lib/contracts/decisions/impact";
import { pageAt } from "@/lib/contracts/changes/list";
import { loadRecentCallers } from "@/lib/store/log/recent-calls";
import { usesOfPolicies } from "@/lib/admin/rightsizing/overview";
import { listIdleAgents } from "@/lib/store/calls/idle-agents";
import { listMisfits } from "@/lib/store/calls/output-misfits";
import { readUnusedRows } from "@/lib/store/usage/read";
import { runInTurns } from "@/lib/store/db/in-turns";
import { currentSnapshot } from "@/lib/store/snapshot/snapshot";

/** Computed findings, valid until a policy starts or stops applying. */
interface Kept {
  readonly findings: Promise<readonly Finding[]>;
  readonly from: number;
  readonly until: number;
}

const kept = new WeakMap<Index, Kept>();

/** One page of the present findings about the configuration in force. */
export async function currentFindings(query: FindingQuery): Promise<FindingsOutput> {
  const now = Date.now();
  const since = new Date(now - IDLE_DAYS * 86_400_000);
  const [{ index }, seen, misfits, idle, uses, unused] = await Promise.all([
    currentSnapshot(),
    loadRecentCallers(),
    listMisfits(),
    listIdleAgents(since),
    usesOfPolicies(IDLE_DAYS, now),
    readUnusedRows(since),
  ]);
  const grants = uses.filter((row) => row.unused > 0);
  const callers = seen.slice(0, MAX_CALLERS).map(({ claims }) => claims);
  return answerFindings(index, { callers, misfits, idle, unused: { grants, ...unused } }, now, query);
}

/** The findings' input from the log: claims of recent callers, results that did not fit their schema, idle agents, unused rows. */
export interface Seen {
  readonly callers: readonly JsonObject[];
  readonly misfits: readonly Misfit[];
  readonly idle: readonly string[];
  readonly unused: Unused;
}

/**
 * One page of the findings at `now` (epoch ms). Computes those of the configuration once per revision, those of
 * the log each time.
 */
export async function answerFindings(
  index: Index,
  { callers, misfits, idle, unused }: Seen,
  now: number,
  query: FindingQuery,
): Promise<FindingsOutput> {
  const unseen = findUnseenClaims(index, { callers, unlogged: VOLATILE, mask: REDACTED });
  const all = inOrder([
    ...(await staticFindings(index, now)),
    ...unseen,
    ...findMisfits(index, misfits),
    ...findIdleAgents(index, idle),
    ...findUnused(index, unused),
  ]);
  const others = all.filter((finding) => fits(finding, { ...query, kind: undefined }));
  const found = query.kind === undefined ? others : others.filter(({ kind }) => kind === query.kind);
  const counts: FindingsOutput["counts"] = {};
  for (const { kind } of others) counts[kind] = (counts[kind] ?? 0) + 1;
  const severities: FindingsOutput["severities"] = {};
  for (const { severity } of found) severities[severity] = (severities[severity] ?? 0) + 1;
  const { items, ...page } = pageAt(found, query);
  return {
    ...page,
    items: items.map(toRow),
    counts,
    severities,
    revision: index.revision,
    callers: callers.length,
  };
}

/** In turns: a large configuration takes a second. */
function staticFindings(index: Index, now: number): Promise<readonly Finding[]> {
  const known = kept.get(index);
  if (known !== undefined && known.from <= now && now < known.until) return known.findings;
  const findings = runInTurns(findFindingsInParts(index, now));
  findings.catch(() => kept.delete(index));
  kept.set(index, { findings, from: now, until: findingsHoldUntil(index, now) });
  return findings;
}

function fits(finding: Finding, query: FindingQuery): boolean {
  return (
    (query.id === undefined || findingId(finding) === query.id) &&
    (query.kind === undefined || finding.kind === query.kind) &&
    (query.severity === undefined || finding.severity === query.severity) &&
    (query.about === undefined || finding.about.kind === query.about) &&
    (query.name === undefined || finding.about.name === query.name) &&
    (query.q === undefined || finding.text.toLowerCase().includes(query.q.toLowerCase()))
  );
}

function toRow(finding: Finding): FindingRow {
  const { kind, severity, about, text, fix, refs, witness } = finding;
  return {
    id: findingId(finding),
    kind,
    severity,
    about,
    text,
    fix,
    refs: [...refs],
    witness:
      witness === null
        ? null
        : {
            claims: witness.claims as NonNullable<FindingRow["witness"]>["claims"],
            at: new Date(witness.at).toISOString(),
            matched: [...witness.matched],
            grantedGroups: [...witness.grantedGroups],
          },
  };
}
