import type { GroupMatchesOutput } from "@/lib/contracts/decisions/group-matches";

/** How many members a list shows. */
export const MAX_SHOWN = 100;

/** The members that a draft gains and loses compared with the saved group. */
interface MemberChanges {
  readonly more: number;
  readonly fewer: number;
  /** Ids; empty when there are too many members. */
  readonly gained: ReadonlySet<string>;
  readonly lost: readonly string[];
}

/** No differences, or nothing to compare with. */
export const NO_CHANGES: MemberChanges = { more: 0, fewer: 0, gained: new Set(), lost: [] };

/** Compares the members of a saved group with those of its draft. */
export function compareMembers(
  before: GroupMatchesOutput | undefined,
  now: GroupMatchesOutput | undefined,
): MemberChanges {
  if (before === undefined || now === undefined) return NO_CHANGES;
  if (before.nextCursor !== null || now.nextCursor !== null) {
    const difference = now.counts.members - before.counts.members;
    return { ...NO_CHANGES, more: Math.max(0, difference), fewer: Math.max(0, -difference) };
  }
  const [was, is] = [before, now].map(({ items }) => new Set(items.map(({ toolId }) => toolId)));
  const gained = [...(is ?? [])].filter((id) => was?.has(id) !== true);
  const lost = [...(was ?? [])].filter((id) => is?.has(id) !== true);
  return { more: gained.length, fewer: lost.length, gained: new Set(gained), lost };
}

/** Members that the draft has lost. */
export function LostMembers({ ids }: { ids: readonly string[] }) {
  if (ids.length === 0) return null;
  return (
    <ul aria-label="Tools that leave the group" className="border-b border-line bg-deny-soft/50 px-3 py-1.5">
      {ids.slice(0, MAX_SHOWN).map((id) => (
        <li key={id} className="truncate font-mono text-xs text-deny">
          − {id}
        </li>
      ))}
      {ids.length > MAX_SHOWN && (
        <li className="text-xs text-deny">and {(ids.length - MAX_SHOWN).toLocaleString("en")} more leave</li>
      )}
    </ul>
  );
}
