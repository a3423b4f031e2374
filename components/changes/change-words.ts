import { changesOf, sentencesOf, statedInWords, type Sentence } from "@/components/resource/editor/changes";
import { whatOf } from "@/components/pause/change-pauses";
import { hrefOf } from "@/components/resource/view";
import { settingsInParts } from "@/components/settings/settings-words";
import { counted } from "@/components/ui/counted";
import type { Tone } from "@/components/ui/badge";
import type { ChangeRow } from "@/lib/contracts/changes/change";
import type { RequestRow } from "@/lib/contracts/changes/request";
import type { RevisionRow } from "@/lib/contracts/changes/revision";
import { fieldInWords, rowInWords } from "@/lib/contracts/changes/row-words";
import type { PauseTarget } from "@/lib/resources/pause";
import { isResourceName, KINDS, type ResourceName } from "@/lib/resources/kinds";

/** The words and the colour of a change's action. */
export const ACTION_WORDS: Readonly<Record<ChangeRow["action"], { readonly text: string; readonly tone: Tone }>> = {
  create: { text: "created", tone: "allow" },
  update: { text: "changed", tone: "warn" },
  delete: { text: "deleted", tone: "deny" },
};

/** The words of an action that has not happened. */
const PROPOSED_WORDS: Readonly<Record<ChangeRow["action"], string>> = {
  create: "creates",
  update: "changes",
  delete: "deletes",
};

/** Statuses of requests whose changes were saved. */
const SAVED: readonly RequestRow["status"][] = ["applied", "bypassed", "reverted"];

/** What a request did to a row, or would do: `created`, `creates`. */
export function requestedAction(action: ChangeRow["action"], status: RequestRow["status"]): string {
  return SAVED.includes(status) ? ACTION_WORDS[action].text : PROPOSED_WORDS[action];
}

/** What a revision changed, by its first rows: "changed access policy finance, created tool group x and 3 more". */
export function changesInWords({ first, changes }: Pick<RevisionRow, "first" | "changes">): string {
  const named = first.map(
    (row) => pauseInWords(row) ?? `${ACTION_WORDS[row.action].text} ${rowInWords(row.resource, row.id)}`,
  );
  const more = changes - first.length;
  if (named.length === 0) return counted(changes, "object");
  return `${named.join(", ")}${more > 0 ? ` and ${more.toLocaleString("en")} more` : ""}`;
}

/** What a save of a pause did to calls: "resumed calls by the agent bot"; `null` for another row, or a changed reason. */
function pauseInWords({ resource, id, action }: RevisionRow["first"][number]): string | null {
  if (resource !== "pauses" || action === "update") return null;
  const [scope, name = null] = id.split(":");
  const target = { scope: scope as PauseTarget["scope"], name };
  return `${action === "create" ? "paused" : "resumed"} ${whatOf(target)}`;
}

/** The differences of an update in sentences; none for a creation or a deletion. */
export function sentencesFor({ action, before, after }: Pick<ChangeRow, "action" | "before" | "after">) {
  return action === "update" ? sentencesOf(changesOf(fieldsOf(before), fieldsOf(after))) : NO_SENTENCES;
}

const NO_SENTENCES: readonly Sentence[] = [];

/** A whole change in sentences: of a creation or a deletion, what the row states. */
export function allSentencesFor(change: Pick<ChangeRow, "action" | "before" | "after">): readonly Sentence[] {
  if (change.action === "update") return sentencesFor(change);
  return statedInWords(fieldsOf(change.before ?? change.after), change.action === "create" ? "+" : "−");
}

/** The fields by which a person recognises a row of each kind, beside its name. */
const IDENTIFYING: Readonly<Record<ResourceName, readonly string[]>> = {
  sources: ["kind", "url", "command", "enabled"],
  tools: ["description", "source", "method", "path", "enabled", "groups"],
  groups: ["description", "active", "selectors", "include", "exclude"],
  policies: [
    "description",
    "effect",
    "mode",
    "active",
    "everyone",
    "matchers",
    "groups",
    "arguments",
    "maxHours",
    "approvers",
    "validFrom",
    "validUntil",
  ],
  machines: ["description", "initial"],
  personas: ["description", "capabilities"],
  intents: ["description", "groups"],
  labels: ["description", "scope", "holdMinutes"],
  flows: ["description", "mode", "active", "when", "restrict"],
  issuers: ["issuer", "audience", "enabled"],
  agents: ["description", "enabled", "issuer", "subject", "persona", "profile", "machine", "owners"],
  clients: ["description", "enabled", "agent", "redirectUris"],
  assertions: ["description", "given", "expect"],
  "api-keys": ["agent", "expiresAt", "enabled"],
  tokens: ["role", "createdBy", "expiresAt", "enabled"],
  users: ["email", "displayName", "role", "enabled"],
  webhooks: ["description", "url", "events", "active"],
};

/** The fields that switch a row off. */
const SWITCHES: readonly string[] = ["active", "enabled"];

/** What a changed row is: its identifying fields that the change leaves as they are. Empty for other changes. */
export function unchangedInWords({
  resource,
  action,
  before,
  after,
}: Pick<ChangeRow, "resource" | "action" | "before" | "after">): readonly string[] {
  if (action !== "update" || !isResourceName(resource)) return [];
  const changed = new Set(changesOf(fieldsOf(before), fieldsOf(after)).map(({ field }) => field));
  const row = fieldsOf(after) as Readonly<Record<string, unknown>>;
  const kept = IDENTIFYING[resource]
    .filter((field) => !changed.has(field))
    .map((field) => [field, row[field]] as const);
  const off = kept.filter(([field, value]) => SWITCHES.includes(field) && value === false);
  return [
    ...off.map(([field]) => `${fieldInWords(field)}: off`),
    ...statedInWords(Object.fromEntries(kept), "+").map(({ text }) => text),
  ];
}

/** Settings are kept as one value. */
function fieldsOf(value: unknown): object {
  const row = (value ?? {}) as { name?: unknown; value?: unknown };
  return row.name === "settings" && typeof row.value === "object" && row.value !== null
    ? settingsInParts(row.value)
    : row;
}

/** The page of the changed object; `null` when it has none, or when this change deleted it. */
export function objectHref({ resource, rowId, action, after }: ChangeRow): string | null {
  if (resource === "settings") return "/admin/settings";
  if (!isResourceName(resource) || action === "delete") return null;
  const renamed = (after as Record<string, unknown> | null)?.[KINDS[resource].id];
  return hrefOf(resource, typeof renamed === "string" ? renamed : rowId);
}
