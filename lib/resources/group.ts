import { z } from "zod";
import { DEFAULT_GROUP } from "@/lib/access/configuration";
import { description, instant, meta, slug, toolId } from "@/lib/resources/name";
import { selectorInput } from "@/lib/resources/selector";

const byHand = {
  tool: toolId,
  who: z.string().max(200).nullable().default(null),
  when: instant.nullable().default(null),
};

/** A group as an admin writes it. */
export const groupInput = z.strictObject({
  name: slug.refine((name) => name !== DEFAULT_GROUP, "`default` is built in and cannot be created"),
  description: description.default(""),
  guidance: z.string().max(4000).nullable().default(null),
  active: z.boolean().default(true),
  selectors: z.array(selectorInput).max(20).default([]),
  include: z.array(z.strictObject(byHand)).max(5000).default([]),
  exclude: z
    .array(z.strictObject({ ...byHand, reason: z.string().max(500).default("") }))
    .max(5000)
    .default([]),
});

/** A stored group. */
export const groupRow = z.object({ ...groupInput.shape, ...meta });

/** A group, normalised. */
export type GroupInput = z.output<typeof groupInput>;
/** A group with its revision. */
export type GroupRow = z.output<typeof groupRow>;
