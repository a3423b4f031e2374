import type { Index } from "@/lib/access/compile";
import { ALL, UNDEFINED_STATE, type Machine } from "@/lib/access/configuration";
import { toFinding, type Finding } from "@/lib/access/finding";
import { profiles } from "@/lib/access/profiles";

/** States that no run can enter: of named machines, and those that tools name under the built-in one. */
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
      text: `\`${tool.id}\` is available in ${states.map((state) => `\`${state}\``).join(", ")}, which no tool moves to: only callers that state it themselves get there.`,
      fix: "Let a tool move to the state, or make the tool available in another.",
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

/** Entries of the profiles in the code that match no tool of this catalogue. */
export function findInProfiles({ tools }: Index): readonly Finding[] {
  const sources = new Set(tools.all.map(({ source }) => source));
  const operations = new Set(tools.all.map(({ operation }) => operation));
  return [...profiles.values()].flatMap((profile) => {
    const unused = (entries: readonly string[], known: ReadonlySet<string>, word: string): readonly Finding[] =>
      entries
        .filter((entry) => entry !== ALL && !known.has(entry))
        .map((entry) =>
          toFinding({
            kind: "profile_entry_unused",
            about: { kind: "profile", name: profile.name },
            what: `${word} ${entry}`,
            text: `The profile \`${profile.name}\` ${word} \`${entry}\`, which no tool has.`,
            fix: "Nothing to do while no such tool is installed; otherwise check the name in the code.",
          }),
        );
    return [
      ...unused(profile.deniedSources, sources, "denies the source"),
      ...unused(profile.deniedNames, operations, "denies the operation"),
      ...unused(profile.allowedSources, sources, "allows the source"),
      ...unused(profile.allowedNames, operations, "allows the operation"),
    ];
  });
}
