import { ALL, type Configuration, type Tool } from "@/lib/access/model/configuration";

interface Profile {
  readonly allowedSources: readonly string[];
  readonly deniedSources: readonly string[];
  readonly allowedNames: readonly string[];
  readonly deniedNames: readonly string[];
}

const everythingBut = (deniedSources: readonly string[], deniedNames: readonly string[] = []): Profile => ({
  allowedSources: [ALL],
  deniedSources,
  allowedNames: [],
  deniedNames,
});

/** The table of step 6, literally. */
const PROFILES: ReadonlyMap<string, Profile> = new Map([
  ["main", everythingBut([])],
  ["subagent", everythingBut(["subagent"], ["cancel_scheduled_task", "mcp_register_server", "mcp_unregister_server"])],
  ["scheduled", everythingBut(["subagent"], ["mcp_register_server", "mcp_unregister_server"])],
  ["a2a-synthesis", everythingBut(["a2a"])],
]);

/** The verdict of one profile on one tool. */
export function profileVerdict(
  configuration: Configuration,
  profileName: string,
  tool: Tool,
): "allowed" | "profile_denied" | "profile_drift" {
  const profile = PROFILES.get(profileName);
  if (profile === undefined) return "profile_denied";
  const denied = profile.deniedNames.includes(tool.operation) || profile.deniedSources.includes(tool.source);
  const allowed =
    profile.allowedNames.includes(tool.operation) ||
    profile.allowedSources.includes(ALL) ||
    profile.allowedSources.includes(tool.source);
  if (denied || !allowed) return "profile_denied";
  return drifts(configuration, profileName, profile, tool) ? "profile_drift" : "allowed";
}

/** True when nobody accepted this definition of the tool under the profile. */
function drifts(configuration: Configuration, profileName: string, profile: Profile, tool: Tool): boolean {
  const restricted =
    profile.deniedNames.length > 0 || profile.deniedSources.length > 0 || !profile.allowedSources.includes(ALL);
  const builtin = configuration.sources.some((source) => source.name === tool.source && source.kind === "builtin");
  const accepted = configuration.driftAcceptances.some(
    (acceptance) =>
      acceptance.profile === profileName &&
      acceptance.tool === tool.id &&
      acceptance.definitionHash === tool.definitionHash,
  );
  return restricted && !builtin && !accepted;
}
