import {
  ALL,
  UNDEFINED_STATE,
  type Configuration,
  type Machine,
  type MachineRule,
  type Tool,
} from "@/lib/access/model/configuration";
import { isBrokenSelector, selectorMatches } from "@/test/access/oracle/groups";

/** The state of a request: absent and empty mean the machine's initial state. */
export function stateOf(machine: Machine | null, state: string | null): string {
  return state === null || state === "" ? (machine?.initial ?? UNDEFINED_STATE) : state;
}

/** Step 5: whether the tool is available in the state. */
export function isAvailable(configuration: Configuration, machine: Machine | null, state: string, tool: Tool): boolean {
  if (machine === null) {
    if (configuration.settings.openStart && state === UNDEFINED_STATE) return true;
    return everyStateOr(tool.availableInStates, state);
  }
  if (machine.openStart && state === machine.initial) return true;
  const rule = ruleFor(machine, tool);
  if (rule === null) return true;
  return machine.states.some(({ name }) => name === state) && everyStateOr(rule.availableIn, state);
}

/** The state after a successful call; the same state when the tool is unavailable in it. */
export function nextStateOf(configuration: Configuration, machine: Machine | null, state: string, tool: Tool): string {
  if (!isAvailable(configuration, machine, state, tool)) return state;
  if (machine === null) return tool.state === null || tool.state === "" ? state : tool.state;
  const transitions = ruleFor(machine, tool)?.transitions ?? [];
  return (transitions.find(({ from }) => from === state) ?? transitions.find(({ from }) => from === ALL))?.to ?? state;
}

/**
 * The tool's own rule, else the first matching selector rule. A rule that cannot be read matches every tool and
 * withholds it.
 */
function ruleFor(machine: Machine, tool: Tool): MachineRule | null {
  const own = machine.rules.find((rule) => rule.tool === tool.id);
  if (own !== undefined) return own;
  for (const rule of machine.rules) {
    if (rule.selector === null) continue;
    if (isBrokenSelector(rule.selector)) return { ...rule, availableIn: [], transitions: [] };
    if (selectorMatches(rule.selector, tool)) return rule;
  }
  return null;
}

function everyStateOr(states: readonly string[] | null, state: string): boolean {
  return states === null || states.includes(ALL) || states.includes(state);
}
