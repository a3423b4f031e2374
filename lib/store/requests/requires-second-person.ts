import type { Json } from "@/lib/access/model/configuration";
import { isSameJson } from "@/lib/access/model/canonical";
import { settingsInput } from "@/lib/resources/settings";
import { tables } from "@/lib/store/config/tables";
import type { RequestedChange } from "@/lib/store/requests/change-body";

/** Resources that decide who may act, besides those with secret columns. */
const ALWAYS_REVIEWED: ReadonlySet<string> = new Set(["users", "tokens", "connections"]);

/** Whether a change of this row needs a second person even in an emergency: nobody may apply it without review. */
export function requiresSecondPerson({ resource, before, after }: RequestedChange): boolean {
  if (ALWAYS_REVIEWED.has(resource) || tables[resource].secret.length > 0) return true;
  if (resource === "settings") return !isSameJson(reviewOf(before), reviewOf(after));
  return resource === "policies" && !isSameJson(approversOf(before), approversOf(after));
}

const reviewOf = (row: object | null): Json =>
  settingsInput.parse((row as { readonly value?: object } | null)?.value ?? {}).review;

const approversOf = (row: object | null): Json =>
  (row as { readonly approvers?: readonly string[] } | null)?.approvers?.toSorted() ?? [];
