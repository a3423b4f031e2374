"use client";

import type { ReactNode } from "react";
import type { ScreenName } from "@/components/screen-table";
import { lazyScreen } from "@/components/ui/lazy-screen";

interface Props {
  /** The id of the row on a page of one row; else empty. */
  id: string;
  canWrite: boolean;
}

/** The component of each screen. Each is loaded separately, so that no page loads another's code. */
const SCREENS: Record<ScreenName, (props: Props) => ReactNode> = {
  overview: lazyScreen(async () => (await import("@/components/overview/overview-screen")).OverviewScreen),
  start: lazyScreen(async () => (await import("@/components/onboarding/getting-started")).GettingStarted),
  preview: lazyScreen(async () => (await import("@/components/preview/preview-screen")).PreviewScreen),
  executions: lazyScreen(async () => (await import("@/components/executions/execution-list")).ExecutionList),
  "executions/[id]": lazyScreen(async () => (await import("@/components/executions/execution-detail")).ExecutionView),
  "executions/verify": lazyScreen(async () => (await import("@/components/audit/verify-screen")).VerifyScreen),
  approvals: lazyScreen(async () => (await import("@/components/approvals/approval-list")).ApprovalList),
  "approvals/[id]": lazyScreen(async () => (await import("@/components/approvals/approval-view")).ApprovalPage),
  requests: lazyScreen(async () => (await import("@/components/requests/request-list")).RequestList),
  "requests/[id]": lazyScreen(async () => (await import("@/components/requests/request-view")).RequestPage),
  denials: lazyScreen(async () => (await import("@/components/denials/denial-list")).DenialList),
  "denials/[id]": lazyScreen(async () => (await import("@/components/denials/denial-view")).DenialPage),
  sessions: lazyScreen(async () => (await import("@/components/sessions/session-list")).SessionList),
  "sessions/[id]": lazyScreen(async () => (await import("@/components/sessions/session-view")).SessionPage),
  audit: lazyScreen(async () => (await import("@/components/audit/trail-list")).AuditTrailList),
  "audit/[id]": lazyScreen(async () => (await import("@/components/audit/trail-entry")).AuditEntryPage),
  findings: lazyScreen(async () => (await import("@/components/findings/finding-list")).FindingList),
  rightsizing: lazyScreen(async () => (await import("@/components/rightsizing/rightsizing-screen")).RightsizingScreen),
  "rightsizing/[id]": lazyScreen(async () => (await import("@/components/rightsizing/policy-use")).PolicyUsePage),
  trifecta: lazyScreen(async () => (await import("@/components/flow/trifecta-screen")).TrifectaScreen),
  "flow-guesses": lazyScreen(async () => (await import("@/components/flow/guess-list")).GuessList),
  drift: lazyScreen(async () => (await import("@/components/drift/drift-list")).DriftList),
  "drift/[id]": lazyScreen(async () => (await import("@/components/drift/drift-view")).DriftPage),
  profiles: lazyScreen(async () => (await import("@/components/profiles/profile-list")).ProfileList),
  "profiles/[id]": lazyScreen(async () => (await import("@/components/profiles/profile-drift")).ProfileDrift),
  changes: lazyScreen(async () => (await import("@/components/changes/change-list")).ChangeList),
  "changes/[id]": lazyScreen(async () => (await import("@/components/changes/change-view")).ChangePage),
  connections: lazyScreen(async () => (await import("@/components/connections/connection-list")).ConnectionList),
  deliveries: lazyScreen(async () => (await import("@/components/deliveries/delivery-list")).DeliveryList),
  "deliveries/[id]": lazyScreen(async () => (await import("@/components/deliveries/delivery-view")).DeliveryPage),
  secrets: lazyScreen(async () => (await import("@/components/secrets/secret-list")).SecretList),
  "secrets/[id]": lazyScreen(async () => (await import("@/components/secrets/secret-view")).SecretPage),
  "linked-accounts": lazyScreen(
    async () => (await import("@/components/linked-accounts/linked-account-list")).LinkedAccountList,
  ),
  "linked-accounts/[id]": lazyScreen(async () => (await import("@/components/linked-accounts/link-page")).LinkPage),
  configuration: lazyScreen(
    async () => (await import("@/components/configuration/configuration-screen")).ConfigurationScreen,
  ),
  settings: lazyScreen(async () => (await import("@/components/settings/settings-screen")).SettingsScreen),
  routing: lazyScreen(async () => (await import("@/components/settings/routing-panel")).RoutingPanel),
};

/** A screen that belongs to no resource. */
export function RegisteredScreen({ name, ...props }: Props & { name: ScreenName }) {
  const Screen = SCREENS[name];
  return <Screen {...props} />;
}
