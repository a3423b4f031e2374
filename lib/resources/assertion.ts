import { z } from "zod";
import { description, jsonObject, meta, slug, statedState, toolId } from "@/lib/resources/parts/name";
import { heldLabels } from "@/lib/resources/parts/flow";
import { selectorInput } from "@/lib/resources/parts/selector";

const toolOrSelector = z.union([toolId, selectorInput]);

const given = z.strictObject({
  claims: jsonObject.default({}),
  persona: slug.nullable().default(null),
  group: z.array(z.string()).nullable().default(null),
  state: statedState.nullable().default(null),
  machine: slug.nullable().default(null),
  profile: slug.nullable().default(null),
  capabilities: z.array(z.string()).nullable().default(null),
  intent: z.string().nullable().default(null),
  confidence: z.number().min(0).max(1).nullable().default(null),
  labels: heldLabels.default([]),
});

/** A visibility test: the tools that this caller must see, and the tools that it must not see. */
export const assertionInput = z.strictObject({
  name: z.string().trim().min(1).max(120),
  description: description.default(""),
  given,
  expect: z.strictObject({
    visible: z.array(toolOrSelector).default([]),
    hidden: z.array(toolOrSelector).default([]),
    /** True: no tools besides `visible` may be visible. */
    exactly: z.boolean().default(false),
  }),
});

/** A stored assertion. An older version stored empty states, which name none. */
export const assertionRow = z.object({
  ...assertionInput.shape,
  given: given.extend({ state: z.string().nullable().default(null) }),
  ...meta,
});

/** An assertion, normalised. */
export type AssertionInput = z.output<typeof assertionInput>;
