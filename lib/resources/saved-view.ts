import { z } from "zod";
import { pageOf } from "@/lib/contracts/changes/list";
import { resources } from "@/lib/resources/index";
import { meta, slug } from "@/lib/resources/parts/name";
import { can, type Permission, type Role } from "@/lib/resources/permissions";

/** Lists without a form, and the permission to read them. */
const READ_ONLY = {
  approvals: "executions:read",
  requests: "configuration:read",
  audit: "audit:read",
  changes: "configuration:read",
  deliveries: "configuration:read",
  denials: "executions:read",
  drift: "configuration:read",
  executions: "executions:read",
  "flow-guesses": "configuration:read",
  findings: "configuration:read",
  "linked-accounts": "configuration:read",
  profiles: "configuration:read",
  secrets: "configuration:read",
  sessions: "executions:read",
} as const satisfies Record<string, Permission>;

/** The lists that can have views. */
export const VIEWED_LISTS = [...Object.keys(resources), ...Object.keys(READ_ONLY)] as [ViewedList, ...ViewedList[]];
/** A list that can have views, as in its path. */
export type ViewedList = keyof typeof resources | keyof typeof READ_ONLY;

const key = z.string().regex(/^[A-Za-z]{1,32}$/, "use the key of a filter, such as q or sort");

/**
 * A named set of filters, order and columns of a list (docs/reference/interface.md#lists). Not part of the
 * configuration.
 */
export const savedViewInput = z.strictObject({
  name: slug,
  resource: z.enum(VIEWED_LISTS),
  /** The keys and values of the address bar, without defaults. */
  query: z
    .record(key, z.string().max(200))
    .refine((query) => Object.keys(query).length <= 32, "use at most 32 keys")
    .default({}),
  /** Ids of the visible columns; `[]` = the list's default. */
  columns: z.array(key).max(64).default([]),
  /** True: everyone who may read the list sees the view. Only its owner changes it. */
  shared: z.boolean().default(false),
});

/** A stored view; `mine` = the caller created it and may change it. */
export const savedViewRow = z.object({ ...savedViewInput.shape, mine: z.boolean(), ...meta });

/** A page of saved views. */
export const viewPage = pageOf(savedViewRow);

/** A view, normalised. */
export type SavedViewInput = z.output<typeof savedViewInput>;
/** A view as the caller sees it. */
export type SavedViewRow = z.output<typeof savedViewRow>;

/** The lists that a role may read. Views of other lists stay hidden. */
export function listsFor(role: Role): ViewedList[] {
  const permissionOf = (list: ViewedList): Permission =>
    list in resources ? resources[list as keyof typeof resources].read : READ_ONLY[list as keyof typeof READ_ONLY];
  return VIEWED_LISTS.filter((list) => can(role, permissionOf(list)));
}
