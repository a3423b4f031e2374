import { changesOf, sentencesOf, type Sentence } from "@/components/resource/editor/changes";
import { hrefOf } from "@/components/resource/view";
import { settingsInParts } from "@/components/settings/settings-words";
import type { Tone } from "@/components/ui/badge";
import type { ChangeRow } from "@/lib/contracts/changes/change";
import { isResourceName, KINDS, OTHER_KINDS } from "@/lib/resources/kinds";

/** What became of a row, and the colour of it. */
export const ACTION_WORDS: Readonly<Record<ChangeRow["action"], { readonly text: string; readonly tone: Tone }>> = {
  create: { text: "created", tone: "allow" },
  update: { text: "changed", tone: "warn" },
  delete: { text: "deleted", tone: "deny" },
};

/** A resource, or what is changed besides them, in the singular: "access policy", "pause". */
export function kindInWords(kind: string): string {
  if (isResourceName(kind)) return KINDS[kind].words[0];
  return Object.hasOwn(OTHER_KINDS, kind) ? OTHER_KINDS[kind as keyof typeof OTHER_KINDS] : kind;
}

/** What an update changed, in sentences; nothing for what was made or deleted. */
export function sentencesFor({ action, before, after }: Pick<ChangeRow, "action" | "before" | "after">) {
  return action === "update" ? sentencesOf(changesOf(fieldsOf(before), fieldsOf(after))) : NO_SENTENCES;
}

const NO_SENTENCES: readonly Sentence[] = [];

/** Settings are kept as one value. */
function fieldsOf(value: unknown): object {
  const row = (value ?? {}) as { name?: unknown; value?: unknown };
  return row.name === "settings" && typeof row.value === "object" && row.value !== null
    ? settingsInParts(row.value)
    : row;
}

/** Where the changed object is now; `null` when it has no page, or was deleted by this change. */
export function objectHref({ resource, rowId, action, after }: ChangeRow): string | null {
  if (resource === "settings") return "/admin/settings";
  if (!isResourceName(resource) || action === "delete") return null;
  const renamed = (after as Record<string, unknown> | null)?.[KINDS[resource].id];
  return hrefOf(resource, typeof renamed === "string" ? renamed : rowId);
}
