import { expect, test } from "vitest";
import type { Machine, MachineRule, Tool } from "@/lib/access/configuration";
import { lintMachine } from "@/lib/access/machines";
import { configurationOf } from "@/test/access/case-configuration";

const SOURCE = { name: "x", kind: "http" };
const TOOLS = ["x:get", "x:put"].map((id) => ({ id, description: "does it", inputSchema: { type: "object" } }));

const { tools } = configurationOf({
  file: "machine-lint",
  name: "catalogue",
  configuration: { apiVersion: "quartermaster/v1", sources: [SOURCE], tools: TOOLS },
}) as { readonly tools: readonly Tool[] };

const rule = (
  tool: string,
  transitions: MachineRule["transitions"],
  availableIn: MachineRule["availableIn"] = null,
): MachineRule => ({
  tool,
  selector: null,
  availableIn,
  transitions,
});

function machine(rules: readonly MachineRule[], terminal: readonly string[] = ["shut"]): Machine {
  const states = ["new", "open", "shut"].map((name) => ({
    name,
    description: "",
    colour: null,
    terminal: terminal.includes(name),
  }));
  return { name: "m", description: "", initial: "new", openStart: false, states, rules };
}

const whole = [rule("x:get", [{ from: "new", to: "open" }]), rule("x:put", [{ from: "open", to: "shut" }])];

test("a machine whose states are all reached and left is without findings", () => {
  expect(lintMachine(machine(whole), tools)).toEqual({ errors: [], warnings: [] });
});

test("a transition to an unknown state is refused", () => {
  const { errors } = lintMachine(machine([...whole, rule("x:put", [{ from: "*", to: "nowhere" }])]), tools);
  expect(errors).toEqual([expect.stringContaining("nowhere")]);
});

test.each([
  ["a state that nothing enters", machine(whole.slice(0, 1), ["shut", "open"]), "`shut`"],
  ["a dead end: no available tool leaves it and it is not terminal", machine(whole, []), "`shut`"],
  ["a rule that matches no tool", machine([...whole, rule("x:gone", [])]), "rule 3"],
  [
    "a transition that no availability allows",
    machine([...whole, rule("x:get", [{ from: "shut", to: "new" }], ["open"])]),
    "rule 3",
  ],
])("warns of %s", (_name, suspicious, named) => {
  const { errors, warnings } = lintMachine(suspicious, tools);
  expect(errors).toEqual([]);
  expect(warnings.filter((warning) => warning.includes(named))).not.toEqual([]);
});
