"use client";

import { lazyScreen } from "@/components/ui/lazy-screen";

/** The audit trail, loaded beside its page. */
export const LazyAuditTrail = lazyScreen(async () => (await import("@/components/audit/trail-list")).AuditTrailList);

/** One entry of it, loaded beside its page. */
export const LazyAuditEntry = lazyScreen(async () => (await import("@/components/audit/trail-entry")).AuditEntryPage);
