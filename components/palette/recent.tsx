import { usePathname } from "next/navigation";
import { useEffect, useEffectEvent } from "react";
import { objectTarget, type Target } from "@/components/palette/targets";
import { useRemembered } from "@/components/resource/remembered";
import type { ResourceFacts } from "@/components/resource/view";
import { rowAt } from "@/components/shell/navigation";
import type { ResourceName } from "@/lib/resources";

const MAX_RECENT = 8;

/** The rows that this person opened last, newest first. Leaves out rows that the role may not read. */
export function useRecent(facts: readonly ResourceFacts<ResourceName>[]): readonly Target[] {
  const [seen] = useRemembered("recent", readRecent);
  return seen.flatMap(([resource, id]) => {
    const readable = facts.find((one) => one.resource === resource);
    return readable === undefined ? [] : [objectTarget(readable, id)];
  });
}

/** Remembers the page of the present row. */
export function RememberRecent({ facts }: { facts: readonly ResourceFacts<ResourceName>[] }) {
  const row = rowAt(usePathname());
  const known = facts.some(({ resource }) => resource === row?.section) ? row : null;
  const { section = null, id = null } = known ?? {};
  const [seen, setSeen] = useRemembered("recent", readRecent);
  // Only a visit is remembered. A write of another tab must not cause another write.
  const remember = useEffectEvent((visitedSection: string, visitedId: string) => {
    const others = seen.filter(([seenSection, seenId]) => seenSection !== visitedSection || seenId !== visitedId);
    setSeen([[visitedSection, visitedId] as const, ...others].slice(0, MAX_RECENT));
  });
  useEffect(() => {
    if (section !== null && id !== null) remember(section, id);
  }, [section, id]);
  return null;
}

function readRecent(stored: unknown): readonly (readonly [resource: string, id: string])[] {
  if (!Array.isArray(stored)) return [];
  return stored.filter(
    (one): one is [string, string] => Array.isArray(one) && typeof one[0] === "string" && typeof one[1] === "string",
  );
}
