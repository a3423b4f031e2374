import { oncePer } from "@/lib/access/model/once-per";
import type { Index } from "@/lib/access/compile/compile";
import { ALL, UNDEFINED_STATE, type Json, type Machine, type Tool } from "@/lib/access/model/configuration";
import { toFinding, type Finding } from "@/lib/access/findings/finding";
import { hiddenCodes } from "@/lib/access/model/hidden-characters";
import { profiles } from "@/lib/access/compile/profiles";
import { inCode } from "@/lib/access/model/lists";
import type { Parts } from "@/lib/access/model/parts";

/**
 * Finds states that no run can enter: states of named machines, and states that tools name under the built-in machine.
 */
export function findInStates({ config, tools }: Index): readonly Finding[] {
  const entered = new Set([UNDEFINED_STATE, ALL, ...tools.all.flatMap(({ state }) => state ?? [])]);
  const waiting = tools.all.flatMap((tool) => {
    const states = tool.availableInStates;
    if (states === null || states.length === 0 || states.some((state) => entered.has(state))) return [];
    return toFinding({
      kind: "state_never_entered",
      severity: "info",
      about: { kind: "tool", name: tool.id },
      what: states.join(", "),
      text: `\`${tool.id}\` is available only in ${inCode(states)}, but no call leads there. Only callers that set their own state can use the tool.`,
      fix: "Add a transition to the state, or make the tool available in another state.",
    });
  });
  return [...config.machines.flatMap(inMachine), ...waiting];
}

function inMachine(machine: Machine): readonly Finding[] {
  const entered = new Set(
    machine.rules.flatMap(({ transitions }) => transitions.flatMap(({ from, to }) => (from === to ? [] : to))),
  );
  return machine.states.flatMap(({ name }) => {
    if (name === machine.initial || entered.has(name)) return [];
    return toFinding({
      kind: "state_never_entered",
      about: { kind: "machine", name: machine.name },
      what: name,
      text: `No transition of \`${machine.name}\` enters the state \`${name}\`.`,
      fix: "Add a transition to it, or remove the state.",
    });
  });
}

/**
 * Finds tools whose texts hold characters that no reader sees. Models receive the texts without them. Pauses after each
 * tool, because a catalogue has megabytes of text.
 */
export function* findHiddenTexts({ tools }: Index): Parts<readonly Finding[]> {
  const findings: Finding[] = [];
  for (const tool of tools.all) {
    yield;
    const named = hiddenCodesOf(tool);
    if (named === "") continue;
    const { id } = tool;
    const finding = toFinding({
      kind: "hidden_text",
      about: { kind: "tool", name: id },
      text: `\`${id}\` has hidden characters in its texts: ${named}. Agents get its texts without them, but property names, patterns and values of \`enum\` and \`const\` keep theirs.`,
      fix: "Check the texts at the source. Then rewrite them here, or disable the tool.",
    });
    findings.push(finding);
  }
  return findings;
}

/** The hidden characters of tools. A tool of the catalogue is the same object until it changes. */
const hiddenCodesOf = oncePer((tool: Tool): string => {
  const { displayName, description, guidance, inputSchema, outputSchema, annotations, tags, mcp = null } = tool;
  return hiddenCodes([displayName, description, guidance, inputSchema, outputSchema, annotations, mcp, tags] as Json);
});

/** Finds agents that may state the state of a named machine: the server cannot verify that state. */
export function findStatedStates({ config }: Index): readonly Finding[] {
  return config.agents.flatMap(({ name, machine, stateHeldByServer }) => {
    if (stateHeldByServer) return [];
    return toFinding({
      kind: "state_named_by_agent",
      about: { kind: "agent", name },
      text:
        machine === null
          ? `\`${name}\` can set its own state in any named machine. The server does not verify the state.`
          : `\`${name}\` can set its own state in \`${machine}\`. The server does not verify the state.`,
      fix: "Let the program of the agent create a session first. Then turn on “The server keeps the state” in the settings of the agent.",
      refs: machine === null ? [] : [{ kind: "machine", name: machine }],
    });
  });
}

/**
 * Finds profiles with entries that match no tool of this catalogue. Examines only profiles that an agent names: every
 * installation has the others.
 */
export function findInProfiles({ config, tools }: Index): readonly Finding[] {
  const named = new Set(config.agents.map(({ profile }) => profile));
  const sources = new Set(tools.all.map(({ source }) => source));
  const operations = new Set(tools.all.map(({ operation }) => operation));
  return [...profiles.values()].flatMap((profile) => {
    if (!named.has(profile.name)) return [];
    const unused = [
      ...unusedIn(profile.deniedSources, sources, "denies the source"),
      ...unusedIn(profile.deniedNames, operations, "denies the operation"),
      ...unusedIn(profile.allowedSources, sources, "allows the source"),
      ...unusedIn(profile.allowedNames, operations, "allows the operation"),
    ].join(" and ");
    if (unused === "") return [];
    return toFinding({
      kind: "profile_entry_unused",
      about: { kind: "profile", name: profile.name },
      what: unused.replaceAll("`", ""),
      text: `The profile \`${profile.name}\` ${unused}, which no tool has.`,
      fix: "Nothing to do. The profile is part of Quartermaster; the entry applies once such a tool exists.",
    });
  });
}

/** The entries without a tool in words, "denies the operations `a`, `b`"; none when every entry has one. */
function unusedIn(entries: readonly string[], known: ReadonlySet<string>, words: string): readonly string[] {
  const unused = entries.filter((entry) => entry !== ALL && !known.has(entry));
  if (unused.length === 0) return [];
  return [`${words}${unused.length === 1 ? "" : "s"} ${inCode(unused)}`];
}
