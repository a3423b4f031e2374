import { bitsWhere, hasBit, popcount, type Bits } from "@/lib/access/model/bitset";
import { CODE_KIND, type Configuration, type Tool } from "@/lib/access/model/configuration";
import { inParts, type Parts } from "@/lib/access/model/parts";
import { isRestricted, profileAllows, profiles } from "@/lib/access/compile/profiles";

/**
 * One profile over one catalogue (docs/reference/decision.md#profile): the tools that it allows, and those that drift
 * does not withhold.
 */
interface CompiledProfile {
  /** True when the profile withholds no tool of any catalogue, like `main`: then its sets need no test. */
  readonly open: boolean;
  readonly allowed: Bits;
  readonly reviewed: Bits;
}

/** Returns a profile's sets by name, computed on first use. An unknown profile allows nothing. */
export type ProfileIndex = (name: string) => CompiledProfile;

/** Compiles the profiles against the catalogue and the accepted drift. */
export function* compileProfiles(config: Configuration, tools: readonly Tool[]): Parts<ProfileIndex> {
  const builtIn = new Set(config.sources.filter(({ kind }) => kind === CODE_KIND).map(({ name }) => name));
  const key = (profile: string, tool: string, hash: string): string => JSON.stringify([profile, tool, hash]);
  const accepted = new Set<string>();
  yield* inParts(config.driftAcceptances, ({ profile, tool, definitionHash }) =>
    accepted.add(key(profile, tool, definitionHash)),
  );
  const compiled = new Map<string, CompiledProfile>();
  const unknown: CompiledProfile = {
    open: false,
    allowed: bitsWhere(tools.length, () => false),
    reviewed: bitsWhere(tools.length, () => true),
  };
  return (name) => {
    const profile = profiles.get(name);
    if (profile === undefined) return unknown;
    const known = compiled.get(name);
    if (known !== undefined) return known;
    const restricted = isRestricted(profile);
    const where = (test: (tool: Tool) => boolean): Bits =>
      bitsWhere(tools.length, (n) => {
        const tool = tools[n];
        return tool !== undefined && test(tool);
      });
    const made = {
      open: !restricted,
      allowed: where((tool) => profileAllows(profile, tool.source, tool.operation)),
      reviewed: where(
        (tool) => !restricted || builtIn.has(tool.source) || accepted.has(key(name, tool.id, tool.definitionHash)),
      ),
    };
    compiled.set(name, made);
    return made;
  };
}

interface Catalogue {
  readonly profiles: ProfileIndex;
  readonly tools: { readonly all: readonly Tool[] };
}

/** The tools that a profile allows and only drift withholds, in order of id. */
export function toolsWithheldByDrift({ profiles: compiled, tools }: Catalogue, profile: string): readonly Tool[] {
  const { allowed, reviewed } = compiled(profile);
  return tools.all
    .filter((_, number) => hasBit(allowed, number) && !hasBit(reviewed, number))
    .toSorted((left, right) => (left.id < right.id ? -1 : 1));
}

interface ProfileCounts {
  /** Tools that the profile allows and drift does not withhold. */
  readonly allowed: number;
  readonly denied: number;
}

const counted = new WeakMap<Catalogue, Map<string, ProfileCounts>>();

/** Counts a profile's tools, once per revision. */
export function countsOf(index: Catalogue, profile: string): ProfileCounts {
  const known = counted.get(index) ?? new Map<string, ProfileCounts>();
  counted.set(index, known);
  let counts = known.get(profile);
  if (counts === undefined) {
    const { allowed: byRule, reviewed } = index.profiles(profile);
    const allowed = byRule.reduce((sum, word, at) => sum + popcount(word & (reviewed[at] ?? 0)), 0);
    counts = { allowed, denied: index.tools.all.length - allowed };
    known.set(profile, counts);
  }
  return counts;
}
