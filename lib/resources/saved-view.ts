import { z } from "zod";
import { resources } from "@/lib/resources/index";
import { meta, slug } from "@/lib/resources/parts/name";
import { can, type Permission, type Role } from "@/lib/resources/permissions";

/** Lists that are no resource with a form, and who may read them. */
const READ_ONLY = {
  approvals: "executions:read",
  audit: "audit:read",
  changes: "configuration:read",
  deliveries: "configuration:read",
  denials: "executions:read",
  drift: "configuration:read",
  executions: "executions:read",
  findings: "configuration:read",
  profiles: "configuration:read",
  secrets: "configuration:read",
  sessions: "configuration:read",
} as const satisfies Record<string, Permission>;

/** The lists that can have views. */
export const VIEWED_LISTS = [...Object.keys(resources), ...Object.keys(READ_ONLY)] as [ViewedList, ...ViewedList[]];
/** One of them, as in its address. */
export type ViewedList = keyof typeof resources | keyof typeof READ_ONLY;

const key = z.string().regex(/^[A-Za-z]{1,32}$/, "use the key of a filter, such as q or sort");

/** A list's filters, order and columns under a name (docs/reference/interface.md#lists). No part of the configuration. */
export const savedViewInput = z.strictObject({
  name: slug,
  resource: z.enum(VIEWED_LISTS),
  /** The address bar's keys and values; defaults are left out. */
  query: z
    .record(key, z.string().max(200))
    .refine((query) => Object.keys(query).length <= 32, "use at most 32 keys")
    .default({}),
  /** Ids of the columns that show; `[]` = the list's own choice. */
  columns: z.array(key).max(64).default([]),
  /** Everyone who may read the list sees it; only its owner changes it. */
  shared: z.boolean().default(false),
});

/** A stored view; `mine` = the caller made it, and may change it. */
export const savedViewRow = z.object({ ...savedViewInput.shape, mine: z.boolean(), ...meta });

/** A view, normalised. */
export type SavedViewInput = z.output<typeof savedViewInput>;
/** A view as the caller sees it. */
export type SavedViewRow = z.output<typeof savedViewRow>;

/** The lists that a role may read: views of others are not there. */
export function listsFor(role: Role): ViewedList[] {
  const permissionOf = (list: ViewedList): Permission =>
    list in resources ? resources[list as keyof typeof resources].read : READ_ONLY[list as keyof typeof READ_ONLY];
  return VIEWED_LISTS.filter((list) => can(role, permissionOf(list)));
}
