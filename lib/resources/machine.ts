import { z } from "zod";
import { description, meta, slug, toolId } from "@/lib/resources/parts/name";
import { selectorInput } from "@/lib/resources/parts/selector";

const stateName = z.string().min(1).max(100);

const rule = z
  .strictObject({
    tool: toolId.nullable().default(null),
    selector: selectorInput.nullable().default(null),
    availableIn: z.array(stateName).max(200).nullable().default(null),
    transitions: z
      .array(z.strictObject({ from: stateName, to: stateName }))
      .max(200)
      .default([]),
  })
  .refine((value) => (value.tool === null) !== (value.selector === null), {
    path: ["tool"],
    message: "state either `tool` or `selector`",
  });

const fields = {
  name: slug,
  description: description.default(""),
  initial: stateName,
  openStart: z.boolean().default(false),
  states: z
    .array(
      z.strictObject({
        name: stateName,
        description: description.default(""),
        colour: z.string().max(32).nullable().default(null),
        terminal: z.boolean().default(false),
      }),
    )
    .min(1, "a machine needs at least one state")
    .max(200),
  rules: z.array(rule).max(2000).default([]),
};

/** A state machine as an admin writes it. Every state that a rule names must be in `states`. */
export const machineInput = z.strictObject(fields).superRefine((machine, context) => {
  const issue = (path: (string | number)[], message: string) => context.addIssue({ code: "custom", path, message });
  const states = new Set(machine.states.map((state) => state.name));
  if (states.size !== machine.states.length) issue(["states"], "two states have the same name");
  if (!states.has(machine.initial)) issue(["initial"], `\`${machine.initial}\` is not one of the states`);
  machine.rules.forEach((value, index) => {
    value.transitions.forEach(({ from, to }, at) => {
      if (from !== "*" && !states.has(from))
        issue(["rules", index, "transitions", at, "from"], `unknown state \`${from}\``);
      if (!states.has(to)) issue(["rules", index, "transitions", at, "to"], `unknown state \`${to}\``);
    });
    value.availableIn?.forEach((state, at) => {
      if (state !== "*" && !states.has(state)) issue(["rules", index, "availableIn", at], `unknown state \`${state}\``);
    });
  });
});

/** A stored machine. */
export const machineRow = z.object({ ...fields, ...meta });
