import { z } from "zod";
import { isEmptySelector } from "@/lib/access/matching/selectors";
import { DEFAULT_GROUP } from "@/lib/access/model/configuration";
import { description, instant, meta, slug, toolId } from "@/lib/resources/parts/name";
import { selectorInput } from "@/lib/resources/parts/selector";

const byHand = {
  tool: toolId,
  who: z.string().max(200).nullable().default(null),
  when: instant.nullable().default(null),
};

/** Keeps one entry per tool. A later entry of the same tool fills in what the first leaves open. */
function mergeByTool<Entry extends { tool: string; who: string | null; when: string | null; reason?: string }>(
  entries: Entry[],
): Entry[] {
  const merged = new Map<string, Entry>();
  for (const entry of entries) {
    const known = merged.get(entry.tool);
    if (known === undefined) merged.set(entry.tool, entry);
    else
      merged.set(entry.tool, {
        ...known,
        who: known.who ?? entry.who,
        when: known.when ?? entry.when,
        ...(known.reason === "" && { reason: entry.reason }),
      });
  }
  return [...merged.values()];
}

const fields = {
  name: slug.refine((name) => name !== DEFAULT_GROUP, "`default` is built in and cannot be created"),
  description: description.default(""),
  guidance: z.string().max(4000).nullable().default(null),
  active: z.boolean().default(true),
  selectors: z.array(selectorInput).max(20).default([]),
  include: z.array(z.strictObject(byHand)).max(5000).overwrite(mergeByTool).default([]),
  exclude: z
    .array(z.strictObject({ ...byHand, reason: z.string().max(500).default("") }))
    .max(5000)
    .overwrite(mergeByTool)
    .default([]),
};

/** A group that is being written: its selectors may still be empty. */
export const groupDraft = z.strictObject(fields);

/** A group as an admin writes it. A tool listed twice gets one entry. An empty selector would take in every tool. */
export const groupInput = groupDraft.superRefine(({ selectors }, context) => {
  selectors.forEach((selector, index) => {
    if (!isEmptySelector(selector)) return;
    const message = "state at least one field, or remove the selector; source `*` matches every tool";
    context.addIssue({ code: "custom", path: ["selectors", index], message });
  });
});

/** A stored group. */
export const groupRow = z.object({ ...fields, ...meta });
