import type { z } from "zod";
import { approvalRow } from "@/lib/contracts/log/approval";
import { auditQuery, auditRow } from "@/lib/contracts/log/audit-trail";
import { changeQuery, changeRow } from "@/lib/contracts/changes/change";
import { deliveryRow } from "@/lib/contracts/agents/delivery";
import { denialQuery, denialRow } from "@/lib/contracts/decisions/denial";
import { driftItem } from "@/lib/contracts/sources/drift";
import { EXPORT_FIELDS, exportQuery, PAGES } from "@/lib/contracts/changes/export";
import type { Chapter } from "@/lib/contracts/operations/operation";
import { findingQuery, findingRow } from "@/lib/contracts/decisions/finding";
import type { Permission } from "@/lib/resources/permissions";
import { profileQuery, profileRow } from "@/lib/resources/profile";
import { secretRow } from "@/lib/resources/secret";
import { sessionRow } from "@/lib/contracts/log/session";

/** A list that can be exported as a file. */
interface ExportedShape {
  /** Singular and plural. */
  readonly words: readonly [string, string];
  /** The chapter of the API description. */
  readonly chapter: Chapter;
  /** The row's schema; its fields are the columns. */
  readonly row: z.ZodObject;
  /** The list's search, filters and order, plus format and fields. */
  readonly query: z.ZodObject;
  /**
   * The permission to export. Lists made from calls need the log's export permission; other lists need the permission
   * to read them.
   */
  readonly who: Permission;
}

/**
 * The lists without a resource that can be exported, under `/api/admin/exports/<name>`. The log has a separate export,
 * with a manifest.
 */
export const EXPORTED_LISTS = {
  approvals: {
    words: ["approval", "approvals"],
    chapter: "log",
    row: approvalRow,
    query: exportQuery,
    who: "executions:export",
  },
  audit: {
    words: ["entry of the audit trail", "entries of the audit trail"],
    chapter: "log",
    row: auditRow,
    query: auditQuery.omit(PAGES).extend(EXPORT_FIELDS),
    who: "audit:read",
  },
  changes: {
    words: ["change", "changes"],
    chapter: "log",
    row: changeRow,
    query: changeQuery.omit(PAGES).extend(EXPORT_FIELDS),
    who: "configuration:read",
  },
  deliveries: {
    words: ["delivery", "deliveries"],
    chapter: "webhooks",
    row: deliveryRow,
    query: exportQuery,
    who: "configuration:read",
  },
  denials: {
    words: ["denial", "denials"],
    chapter: "log",
    row: denialRow,
    query: denialQuery.omit(PAGES).extend(EXPORT_FIELDS),
    who: "executions:export",
  },
  drift: {
    words: ["tool to review", "tools to review"],
    chapter: "imports",
    row: driftItem,
    query: exportQuery,
    who: "configuration:read",
  },
  findings: {
    words: ["finding", "findings"],
    chapter: "preview",
    row: findingRow,
    query: findingQuery.omit(PAGES).extend(EXPORT_FIELDS),
    who: "configuration:read",
  },
  profiles: {
    words: ["profile", "profiles"],
    chapter: "profiles",
    row: profileRow,
    query: profileQuery.omit(PAGES).extend(EXPORT_FIELDS),
    who: "configuration:read",
  },
  secrets: {
    words: ["secret", "secrets"],
    chapter: "secrets",
    row: secretRow,
    query: exportQuery,
    who: "configuration:read",
  },
  sessions: {
    words: ["session", "sessions"],
    chapter: "log",
    row: sessionRow,
    query: exportQuery,
    who: "executions:export",
  },
} as const satisfies Record<string, ExportedShape>;

/** The name of an exported list, as in its path. */
export type ExportedList = keyof typeof EXPORTED_LISTS;
