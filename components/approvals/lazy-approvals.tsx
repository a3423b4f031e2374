"use client";

import { lazyScreen } from "@/components/ui/lazy-screen";

/** The approvals, loaded beside their page. */
export const LazyApprovals = lazyScreen(
  async () => (await import("@/components/approvals/approval-list")).ApprovalList,
);

/** One approval, loaded beside its page. */
export const LazyApproval = lazyScreen(async () => (await import("@/components/approvals/approval-view")).ApprovalPage);
