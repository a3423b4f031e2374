import { KINDS, RESOURCE_NAMES, type ResourceName } from "@/lib/resources/kinds";

type Part = NonNullable<(typeof KINDS)[ResourceName]["section"]>;
type InPart<P extends Part> = { [R in ResourceName]: (typeof KINDS)[R]["section"] extends P ? R : never }[ResourceName];

/** The `apiVersion` of every configuration document. */
export const API_VERSION = "quartermaster/v1";

/** One section of the configuration document. */
export type ConfigSection = InPart<Part>;
/** A section whose changes have an impact. */
export type Deciding = InPart<"rule" | "caller">;
/** A section that a preview can take as a draft. */
export type Drafted = InPart<"rule">;

/** The deciding rules that a preview can take while they are edited. Agents and issuers only identify callers. */
export const DRAFTED: readonly Drafted[] = inPart("rule");

/** The sections whose rows decide which tools a caller has. */
export const DECIDING: readonly Deciding[] = [...DRAFTED, ...inPart("caller").toSorted()];

/** The resources of the configuration document, in the order in which they are applied: a row after those it names. */
export const CONFIG_SECTIONS: readonly ConfigSection[] = byReferences([
  ...DRAFTED,
  ...inPart("caller"),
  ...inPart("test"),
]);

/** Whether the configuration document contains rows of a resource. */
export function isConfigSection(resource: ResourceName): resource is ConfigSection {
  return KINDS[resource].section !== null;
}

function inPart<P extends Part>(part: P): InPart<P>[] {
  return RESOURCE_NAMES.filter((name): name is InPart<P> => KINDS[name].section === part);
}

function byReferences(sections: readonly ConfigSection[]): ConfigSection[] {
  const seen = new Set<ConfigSection>();
  const withTargets = (section: ConfigSection): ConfigSection[] => {
    if (seen.has(section)) return [];
    seen.add(section);
    const required = KINDS[section].references.filter(({ unknown }) => unknown === "refused").map(({ to }) => to);
    return [...sections.filter((other) => required.some((to) => to === other)).flatMap(withTargets), section];
  };
  return sections.flatMap(withTargets);
}
