import { ALL, MAIN_PROFILE } from "@/lib/access/model/configuration";

/**
 * A safety boundary in code: an admin can read it but not change it at run time (docs/reference/decision.md#profile).
 * Its strings are compared with the immutable source name and operation, never with a name that an admin can edit.
 */
export interface Profile {
  readonly name: string;
  readonly meaning: string;
  /** Source names, or `"*"`. */
  readonly allowedSources: readonly string[];
  readonly deniedSources: readonly string[];
  /** Operations, of any source. */
  readonly allowedNames: readonly string[];
  readonly deniedNames: readonly string[];
}

/** Copies a profile under another name. */
export function rename(profile: Profile, name: string, meaning: string): Profile {
  return { ...profile, name, meaning };
}

/** Denies whole sources in addition to the profile's denials. */
export function withoutSources(profile: Profile, ...sources: readonly string[]): Profile {
  return { ...profile, deniedSources: union(profile.deniedSources, sources) };
}

/** Denies operations in addition to the profile's denials. */
export function withoutNames(profile: Profile, ...names: readonly string[]): Profile {
  return { ...profile, deniedNames: union(profile.deniedNames, names) };
}

/** Allows only these sources. The profile's denials stay. */
export function onlySources(profile: Profile, ...sources: readonly string[]): Profile {
  return { ...profile, allowedSources: union([], sources) };
}

/** Allows these operations of any source. The profile's denials stay. */
export function withNames(profile: Profile, ...names: readonly string[]): Profile {
  return { ...profile, allowedNames: union(profile.allowedNames, names) };
}

function union(left: readonly string[], right: readonly string[]): readonly string[] {
  return [...new Set([...left, ...right])].toSorted();
}

const main: Profile = {
  name: MAIN_PROFILE,
  meaning: "Everything",
  allowedSources: [ALL],
  deniedSources: [],
  allowedNames: [],
  deniedNames: [],
};

const scheduled = withoutNames(
  withoutSources(rename(main, "scheduled", "Runs on a timer, with nobody watching"), "subagent"),
  "mcp_register_server",
  "mcp_unregister_server",
);

const subagent = withoutNames(rename(scheduled, "subagent", "Works for another agent"), "cancel_scheduled_task");

const synthesis = withoutSources(rename(main, "a2a-synthesis", "Puts the answers of other agents together"), "a2a");

/** Every profile, by name. */
export const profiles: ReadonlyMap<string, Profile> = new Map(
  [main, subagent, scheduled, synthesis].map((profile) => [profile.name, profile]),
);

/** The names a request may use. */
export const profileNames: readonly string[] = [...profiles.keys()];

/** Whether a name or source is allowed and neither is denied: a denial takes precedence. */
export function profileAllows(profile: Profile, source: string, operation: string): boolean {
  if (profile.deniedNames.includes(operation) || profile.deniedSources.includes(source)) return false;
  return (
    profile.allowedNames.includes(operation) ||
    profile.allowedSources.includes(ALL) ||
    profile.allowedSources.includes(source)
  );
}

/** True when the profile denies something or does not allow everything. Drift then withholds new tools. */
export function isRestricted(profile: Profile): boolean {
  return profile.deniedNames.length > 0 || profile.deniedSources.length > 0 || !profile.allowedSources.includes(ALL);
}
