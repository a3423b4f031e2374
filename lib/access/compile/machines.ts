import { bitsWhere, type Bits } from "@/lib/access/model/bitset";
import {
  ALL,
  UNDEFINED_STATE,
  type Configuration,
  type Machine,
  type MachineRule,
  type Tool,
} from "@/lib/access/model/configuration";
import { inParts, type Parts } from "@/lib/access/model/parts";
import { isProblem } from "@/lib/access/model/problem";
import type { SelectedTool } from "@/lib/access/matching/selector-clauses";
import { compileSelector, selectorFacts, type SelectorFacts } from "@/lib/access/matching/selectors";

/** A machine over one catalogue (docs/reference/decision.md#state). */
export interface CompiledMachine {
  /** `null` = the built-in machine. */
  readonly machine: Machine | null;
  readonly initial: string;
  /** The tools (by number) that a state allows. Computed on first use, one set for all unknown states. */
  readonly available: (state: string) => Bits;
  /**
   * The states in which a tool is available; `null` = every state, including states that the machine does not define.
   */
  readonly statesOf: (tool: Tool) => readonly string[] | null;
  /**
   * The state after a successful call. Pure and total. The state stays when no transition applies or the tool is
   * unavailable in it.
   */
  readonly next: (state: string, tool: Tool) => string;
  /** Tools with the same key take the same transitions. `null`: calls of the tool never change the state. */
  readonly transitionsKey: (tool: Tool) => object | null;
}

/** The built-in machine under `null`, and the named ones. */
export type MachineTable = ReadonlyMap<string | null, CompiledMachine>;

/** Compiles every machine. A machine finds the rule of a tool when it is first needed. */
export function* compileMachines(config: Configuration, tools: readonly Tool[], errors: string[]): Parts<MachineTable> {
  const machines = new Map<string | null, CompiledMachine>();
  machines.set(null, yield* builtInMachine(config.settings.openStart, tools));
  for (const machine of config.machines) {
    yield;
    machines.set(machine.name, namedMachine(machine, tools, errors));
  }
  return machines;
}

/**
 * The state after a successful call of `tool` (an id) in `state`. `machine` `null` = the built-in machine. An unknown
 * machine or tool changes nothing.
 */
export function nextState(
  index: {
    readonly machines: MachineTable;
    readonly tools: { readonly all: readonly Tool[]; readonly numberOf: ReadonlyMap<string, number> };
  },
  machine: string | null,
  state: string,
  tool: string,
): string {
  const found = index.tools.all[index.tools.numberOf.get(tool) ?? -1];
  return found === undefined ? state : (index.machines.get(machine)?.next(state, found) ?? state);
}

/**
 * Whether a successful call of `tool` (an id) in `state` leads to another state of a named machine. Such calls of one
 * session run one after the other; the built-in machine's states are hints that bind no other call.
 */
export function isMoving(
  index: Parameters<typeof nextState>[0],
  machine: string | null,
  state: string,
  tool: string,
): boolean {
  return machine !== null && nextState(index, machine, state, tool) !== state;
}

/** Uses each tool's own `availableInStates` and `state`. */
function* builtInMachine(openStart: boolean, tools: readonly Tool[]): Parts<CompiledMachine> {
  const statesOf = (tool: Tool): readonly string[] | null => {
    const stated = tool.availableInStates;
    if (stated === null || stated.includes(ALL)) return null;
    return openStart && !stated.includes(UNDEFINED_STATE) ? [UNDEFINED_STATE, ...stated] : stated;
  };
  const known = new Set([UNDEFINED_STATE]);
  yield* inParts(tools, ({ availableInStates }) => availableInStates?.forEach((state) => known.add(state)));
  return {
    machine: null,
    initial: UNDEFINED_STATE,
    statesOf,
    available: memoizeByState(known, (state) => bitsWhere(tools.length, (n) => isAvailable(tools[n], state, statesOf))),
    // A stored `""` names no state: a request would read it as the initial state.
    next: (state, tool) =>
      tool.state !== null && tool.state !== "" && isAvailable(tool, state, statesOf) ? tool.state : state,
    transitionsKey: (tool) => (tool.state === null || tool.state === "" ? null : tool),
  };
}

function isAvailable(tool: Tool | undefined, state: string | null, statesOf: CompiledMachine["statesOf"]): boolean {
  const states = tool === undefined ? [] : statesOf(tool);
  return states === null || (state !== null && states.includes(state));
}

/** Finds a tool's rule: the rule that names the tool, else the first matching selector, else none. */
type FindRule = (tool: SelectedTool) => MachineRule | null;

/**
 * A rule whose selector does not compile could match any tool. Tools without an earlier rule are therefore unavailable
 * in every state.
 */
const UNAVAILABLE_RULE: MachineRule = { tool: null, selector: null, availableIn: [], transitions: [] };

function namedMachine(machine: Machine, tools: readonly Tool[], errors: string[]): CompiledMachine {
  const find = compileRules(machine, (problem) => errors.push(`machine \`${machine.name}\`, ${problem}`));
  const ruleOf = new Map<string, MachineRule | null>();
  const rule = (tool: Tool): MachineRule | null => {
    const known = ruleOf.get(tool.id);
    if (known !== undefined) return known;
    const found = find(tool);
    ruleOf.set(tool.id, found);
    return found;
  };
  const statesByRule = new Map<MachineRule, readonly string[]>();
  const statesOf = (tool: Tool): readonly string[] | null => {
    const found = rule(tool);
    if (found === null) return null;
    const states = statesByRule.get(found) ?? statesOfRule(machine, found);
    statesByRule.set(found, states);
    return states;
  };
  return {
    machine,
    initial: machine.initial,
    statesOf,
    available: memoizeByState(new Set([machine.initial, ...machine.states.map(({ name }) => name)]), (state) =>
      bitsWhere(tools.length, (n) => isAvailable(tools[n], state, statesOf)),
    ),
    next: (state, tool) => {
      const to = transitionOf(rule(tool), state)?.to;
      return to !== undefined && isAvailable(tool, state, statesOf) ? to : state;
    },
    transitionsKey: (tool) => {
      const found = rule(tool);
      return found === null || found.transitions.length === 0 ? null : found;
    },
  };
}

/** The states of the machine in which the tools of a rule are available. */
function statesOfRule({ states, initial, openStart }: Machine, { availableIn }: MachineRule): readonly string[] {
  const names = new Set(states.map(({ name }) => name));
  const stated =
    availableIn === null || availableIn.includes(ALL) ? [...names] : availableIn.filter((state) => names.has(state));
  return openStart && !stated.includes(initial) ? [initial, ...stated] : stated;
}

/** An exact `from` takes precedence over `"*"`. Among equals the first in document order applies. */
function transitionOf(rule: MachineRule | null, state: string): MachineRule["transitions"][number] | undefined {
  const exact = rule?.transitions.find(({ from }) => from === state);
  return exact ?? rule?.transitions.find(({ from }) => from === ALL);
}

/**
 * Finds the transition that a successful call of a tool takes from a state, as indexes into `rules` and the rule's
 * `transitions`; `null` = none. For statistics and explanations; decisions use `CompiledMachine.next`.
 */
export function transitionFinder(
  machine: Machine,
): (tool: Tool, state: string) => { readonly rule: number; readonly transition: number } | null {
  const find = compileRules(machine, () => {});
  return (tool, state) => {
    const rule = find(tool);
    const taken = transitionOf(rule, state);
    if (rule === null || taken === undefined || !statesOfRule(machine, rule).includes(state)) return null;
    return { rule: machine.rules.indexOf(rule), transition: rule.transitions.indexOf(taken) };
  };
}

function compileRules(machine: Machine, report: (problem: string) => void): FindRule {
  const byTool = new Map<string, MachineRule>();
  const bySelector: { test: (facts: SelectorFacts) => boolean; rule: MachineRule }[] = [];
  machine.rules.forEach((rule, index) => {
    if (rule.tool !== null && !byTool.has(rule.tool)) byTool.set(rule.tool, rule);
    if (rule.selector === null) return;
    const selector = compileSelector(rule.selector);
    if (isProblem(selector)) report(`rule ${index + 1}: ${selector.problem}`);
    bySelector.push(isProblem(selector) ? { test: () => true, rule: UNAVAILABLE_RULE } : { test: selector.test, rule });
  });
  return (tool) => {
    const own = byTool.get(tool.id);
    if (own !== undefined || bySelector.length === 0) return own ?? null;
    const facts = selectorFacts(tool);
    return bySelector.find(({ test }) => test(facts))?.rule ?? null;
  };
}

/** Keeps one set per known state. All other states share one set, because callers may invent any number of states. */
function memoizeByState(known: ReadonlySet<string>, make: (state: string | null) => Bits): (state: string) => Bits {
  const sets = new Map<string | null, Bits>();
  return (state) => {
    const key = known.has(state) ? state : null;
    const bits = sets.get(key) ?? make(key);
    sets.set(key, bits);
    return bits;
  };
}

/** Defects of a machine: `errors` make saving fail, `warnings` do not. */
interface MachineLint {
  readonly errors: readonly string[];
  readonly warnings: readonly MachineWarning[];
}

/** A warning and its place in the machine: `states[1]`, `rules[0].transitions[2]`. */
interface MachineWarning {
  readonly path: string;
  readonly message: string;
}

/** The states that a run can enter from each state through an available tool. */
type Moves = Map<string, Set<string>>;

/**
 * Lints a machine against a catalogue (docs/reference/decision.md#state). Transitions to unknown states are errors.
 * Unreachable states, dead ends, rules without tools and transitions without availability are warnings. In parts, because
 * every rule may test every tool.
 */
export function* lintMachine(machine: Machine, tools: readonly SelectedTool[]): Parts<MachineLint> {
  const names = new Set(machine.states.map(({ name }) => name));
  const errors: string[] = [];
  const warnings: MachineWarning[] = [];
  const warn = (path: string, message: string) => warnings.push({ path, message });
  if (!names.has(machine.initial)) errors.push(`initial state \`${machine.initial}\` is not one of the states`);
  const find = compileRules(machine, (problem) => errors.push(problem));
  const used = new Set<MachineRule | null>();
  for (const tool of tools) {
    yield;
    used.add(find(tool));
  }
  const moves: Moves = new Map();
  machine.rules.forEach((rule, index) => {
    const where = `rule ${index + 1}`;
    if (!used.has(rule)) warn(`rules[${index}]`, `${where} matches no tool`);
    const startsOf = startsIn(machine, rule);
    const seen = new Set<string>();
    for (const [at, { from, to }] of rule.transitions.entries()) {
      for (const state of [from, to])
        if (state !== ALL && !names.has(state)) errors.push(`${where}: unknown state \`${state}\``);
      const starts = startsOf(from);
      if (starts.length === 0)
        warn(
          `rules[${index}].transitions[${at}]`,
          `${where}: the transition \`${from}\` → \`${to}\` starts where its tools are never available`,
        );
      // Of several transitions from one state only the first ever applies.
      if (used.has(rule) && !seen.has(from)) for (const start of starts) addMove(moves, start, to);
      seen.add(from);
    }
  });
  const reached = reachable(machine.initial, moves);
  machine.states.forEach(({ name, terminal }, index) => {
    if (!reached.has(name)) warn(`states[${index}]`, `state \`${name}\` is never reached`);
    if (!terminal && ![...(moves.get(name) ?? [])].some((to) => to !== name))
      warn(
        `states[${index}]`,
        `state \`${name}\` is a dead end: no available tool leaves it. Add a transition, or mark it as terminal`,
      );
  });
  return { errors, warnings };
}

/**
 * The states where a rule's transitions from one state can start and its tools are available. For `"*"` these are the
 * states that no exact transition names. Computes the shared part once, because a rule may have 200 transitions.
 */
function startsIn(machine: Machine, rule: MachineRule): (from: string) => readonly string[] {
  const available = new Set(statesOfRule(machine, rule));
  const exact = new Set(rule.transitions.map(({ from }) => from));
  const others = [...available].filter((name) => !exact.has(name));
  return (from) => (from === ALL ? others : available.has(from) ? [from] : []);
}

function addMove(moves: Moves, from: string, to: string): void {
  const known = moves.get(from);
  if (known === undefined) moves.set(from, new Set([to]));
  else known.add(to);
}

function reachable(initial: string, moves: Moves): ReadonlySet<string> {
  const reached = new Set([initial]);
  for (const state of reached) for (const to of moves.get(state) ?? []) reached.add(to);
  return reached;
}
