import { attention } from "@/lib/contracts/changes/attention";
import type { z } from "zod";
import { configDocument } from "@/lib/config/document";
import { RESOURCE_SCHEMAS, rowDeleted, settingsSaved } from "@/lib/contracts/changes/resource-schemas";
import * as agentApi from "@/lib/contracts/agents/agent-api";
import {
  heldChange,
  requestApproval,
  requestBypass,
  requestClosing,
  requestDetail,
  requestImpact,
  requestPage,
  requestRow,
} from "@/lib/contracts/changes/request";
import { verdict } from "@/lib/contracts/changes/verdict";
import {
  approvalAnswer,
  approvalDetail,
  approvalPage,
  approvalRow,
  approvalsInput,
  approvalsOutput,
} from "@/lib/contracts/log/approval";
import { accessApproval, accessDetail, accessPage, accessRefusal } from "@/lib/contracts/changes/access";
import { accessRequestInput, accessRequestOutput } from "@/lib/contracts/agents/access-request";
import { apiKeyCreated, apiKeyRotation } from "@/lib/resources/api-key";
import { assertionRunInput, assertionRunOutput } from "@/lib/contracts/decisions/assertion-run";
import { breakerState } from "@/lib/contracts/sources/breaker";
import { bulkInput, bulkOutput } from "@/lib/contracts/changes/bulk";
import { auditPage, auditRow } from "@/lib/contracts/log/audit-trail";
import { changePage, changeRow } from "@/lib/contracts/changes/change";
import { configPlan } from "@/lib/contracts/changes/config";
import { callbackKeySet } from "@/lib/contracts/agents/callback-keys";
import { deliveryDetail, deliveryPage, deliveryRow } from "@/lib/contracts/agents/delivery";
import { denialDetail, denialPage, denialRow } from "@/lib/contracts/decisions/denial";
import {
  driftDecided,
  driftDecision,
  driftDecisions,
  driftDetail,
  driftItem,
  driftPage,
} from "@/lib/contracts/sources/drift";
import { erasureInput, erasureOutput } from "@/lib/contracts/log/erasure";
import { executionDetail, executionPage, executionRow } from "@/lib/contracts/log/execution";
import { exportManifest } from "@/lib/contracts/log/execution-export";
import { findingsOutput } from "@/lib/contracts/decisions/finding";
import { groupMatchesInput, groupMatchesOutput } from "@/lib/contracts/decisions/group-matches";
import { executionHistogram } from "@/lib/contracts/log/histogram";
import { healthOutput, readyOutput } from "@/lib/contracts/agents/health";
import {
  claimPathsOutput,
  claimValuesOutput,
  impactInput,
  impactOutput,
  matcherCountsInput,
  matcherCountsOutput,
} from "@/lib/contracts/decisions/impact";
import {
  importApplied,
  importApplying,
  importApply,
  importCallersInput,
  importCallers,
  importEntry,
  importInput,
  importJob,
  importStarted,
} from "@/lib/contracts/sources/import-job";
import { resources } from "@/lib/resources/index";
import { RESOURCE_NAMES } from "@/lib/resources/kinds";
import { machineActivity } from "@/lib/contracts/decisions/machine-activity";
import { matcherInput } from "@/lib/resources/parts/matcher";
import {
  linkedAccountPage,
  linkedAccountRow,
  linkEnded,
  linkStarted,
  linkStatus,
} from "@/lib/contracts/people/linked-account";
import { me } from "@/lib/contracts/people/me";
import { registrationPage, registrationRow } from "@/lib/contracts/people/client-registration";
import { connectionPage, connectionRow } from "@/lib/contracts/people/connection";
import { connectionRequestAnswer, connectionRequestAnswered } from "@/lib/contracts/people/connection-request";
import { passwordChange, passwordReset } from "@/lib/contracts/people/password-change";
import { overviewOutput } from "@/lib/contracts/changes/overview";
import { demoOutput } from "@/lib/contracts/changes/demo";
import { pauseInput, pauseList } from "@/lib/resources/pause";
import { builtInGroups } from "@/lib/contracts/decisions/built-in-groups";
import { agentSizes } from "@/lib/contracts/decisions/agent-sizes";
import { groupSizes } from "@/lib/contracts/decisions/group-sizes";
import { callersInput, callersOutput } from "@/lib/contracts/decisions/callers";
import { comparisonInput, comparisonOutput } from "@/lib/contracts/decisions/comparison";
import { explanationOutput, previewInput, previewOutput } from "@/lib/contracts/decisions/preview";
import { replayInput, replayOutput } from "@/lib/contracts/decisions/replay";
import {
  agentUse,
  candidateDraft,
  candidateDraftInput,
  candidateOutput,
  keepInput,
  rightsizingDetail,
  rightsizingPage,
  rightsizingRow,
} from "@/lib/contracts/decisions/rightsizing";
import { observations } from "@/lib/contracts/decisions/observations";
import { profilePage, profileRow } from "@/lib/resources/profile";
import {
  profileDriftAcceptance,
  profileDriftAccepted,
  profileDriftPage,
  profileDriftRow,
} from "@/lib/contracts/decisions/profile-drift";
import { archiveRequested, archiveInput, logMonths } from "@/lib/contracts/log/retention";
import { revisionDetail, revisionPage, revisionRow } from "@/lib/contracts/changes/revision";
import { revisionDiff, revisionRestored } from "@/lib/contracts/changes/revision-diff";
import { clearLabelInput, heldLabelList, labelsOfHolder } from "@/lib/contracts/log/held-label";
import { flowGuessAnswer, flowGuessAnswered, flowGuessPage } from "@/lib/contracts/sources/flow-guess";
import { flowImpactInput, flowImpactOutput } from "@/lib/contracts/decisions/flow-impact";
import { toolGroups } from "@/lib/contracts/decisions/tool-groups";
import { trifectaOutput } from "@/lib/contracts/decisions/trifecta";
import { revocationInput, revocationList, revocationRow } from "@/lib/contracts/people/revocation";
import { rowPlan } from "@/lib/contracts/changes/row-plan";
import { savedViewInput, savedViewRow, viewPage } from "@/lib/resources/saved-view";
import { executionProof, sealStatus, verifyOutput } from "@/lib/contracts/log/seal";
import { secretInput, secretPage, secretRow } from "@/lib/resources/secret";
import { selectorInput } from "@/lib/resources/parts/selector";
import { sessionDetail, sessionPage, sessionRow } from "@/lib/contracts/log/session";
import { settingsInput, settingsOutput } from "@/lib/resources/settings";
import { mcpCommands } from "@/lib/contracts/sources/mcp-commands";
import { sourceHealthList } from "@/lib/contracts/sources/source-health";
import { tokenTestInput, tokenTestOutput } from "@/lib/contracts/people/token-test";
import { tryInput, tryOutput } from "@/lib/contracts/log/try";
import { webhookCreated } from "@/lib/resources/webhook";

/**
 * The schemas that callers send, by their name in the description. Clients are generated from these names, so they
 * never change.
 */
export const INPUTS: Readonly<Record<string, z.ZodType>> = {
  AccessApproval: accessApproval,
  AccessRefusal: accessRefusal,
  AccessRequestInput: accessRequestInput,
  CallInput: agentApi.callInput,
  SessionInput: agentApi.sessionInput,
  SessionPatch: agentApi.sessionPatch,
  APIKeyRotation: apiKeyRotation,
  ApprovalAnswer: approvalAnswer,
  RequestApproval: requestApproval,
  RequestBypass: requestBypass,
  RequestClosing: requestClosing,
  ApprovalIds: approvalsInput,
  ArchiveInput: archiveInput,
  AssertionRunInput: assertionRunInput,
  CallersInput: callersInput,
  CandidateDraftInput: candidateDraftInput,
  ComparisonInput: comparisonInput,
  ConnectionRequestAnswer: connectionRequestAnswer,
  BulkInput: bulkInput,
  FlowGuessAnswer: flowGuessAnswer,
  FlowImpactInput: flowImpactInput,
  ConfigurationDocument: configDocument,
  DriftApproval: driftDecisions,
  DriftDecision: driftDecision,
  ErasureInput: erasureInput,
  GroupMatchesInput: groupMatchesInput,
  ImpactInput: impactInput,
  ImportApply: importApply,
  ImportCallersInput: importCallersInput,
  ImportInput: importInput,
  KeepInput: keepInput,
  MatcherCountsInput: matcherCountsInput,
  MatcherInput: matcherInput,
  PasswordChange: passwordChange,
  PauseInput: pauseInput,
  PreviewInput: previewInput,
  ReplayInput: replayInput,
  LabelClearing: clearLabelInput,
  RevocationInput: revocationInput,
  ProfileDriftAcceptance: profileDriftAcceptance,
  SavedViewInput: savedViewInput,
  SecretInput: secretInput,
  SelectorInput: selectorInput,
  SettingsInput: settingsInput,
  TokenTestInput: tokenTestInput,
  TrialInput: tryInput,
  ...Object.fromEntries(
    RESOURCE_NAMES.map((name) => [`${RESOURCE_SCHEMAS[name].schemaName}Input`, resources[name].input]),
  ),
};

/** The schemas that the API answers, by their name in the description. */
export const OUTPUTS: Readonly<Record<string, z.ZodType>> = {
  AccessRequest: accessRequestOutput,
  AccessRequestDetail: accessDetail,
  AccessRequestPage: accessPage,
  CallResult: agentApi.callOutput,
  Session: agentApi.sessionOutput,
  ToolEntry: agentApi.toolEntry,
  ToolList: agentApi.toolsOutput,
  APIKeyRotated: apiKeyCreated,
  PasswordReset: passwordReset,
  WebhookRotated: webhookCreated,
  AgentUse: agentUse,
  Approval: approvalRow,
  ApprovalDetail: approvalDetail,
  ApprovalPage: approvalPage,
  Request: requestRow,
  RequestDetail: requestDetail,
  RequestImpact: requestImpact,
  RequestPage: requestPage,
  HeldChange: heldChange,
  Verdict: verdict,
  Approvals: approvalsOutput,
  ArchiveAsked: archiveRequested,
  AssertionRun: assertionRunOutput,
  Breaker: breakerState,
  BulkChange: bulkOutput,
  Attention: attention,
  AuditEntry: auditRow,
  AuditPage: auditPage,
  Change: changeRow,
  ChangePage: changePage,
  Callers: callersOutput,
  Candidate: candidateOutput,
  CandidateDraft: candidateDraft,
  Comparison: comparisonOutput,
  ConfigurationPlan: configPlan,
  CallbackKeys: callbackKeySet,
  Delivery: deliveryRow,
  DeliveryDetail: deliveryDetail,
  DeliveryPage: deliveryPage,
  Denial: denialRow,
  DenialDetail: denialDetail,
  DenialPage: denialPage,
  Drift: driftItem,
  DriftDecided: driftDecided,
  DriftDetail: driftDetail,
  DriftPage: driftPage,
  ClaimPathList: claimPathsOutput,
  ClaimValues: claimValuesOutput,
  Erasure: erasureOutput,
  Execution: executionRow,
  LogMonths: logMonths,
  ExecutionDetail: executionDetail,
  ExecutionHistogram: executionHistogram,
  ExecutionPage: executionPage,
  ExecutionProof: executionProof,
  ExecutionVerification: verifyOutput,
  ExportManifest: exportManifest,
  Explanation: explanationOutput,
  FindingPage: findingsOutput,
  BuiltInGroups: builtInGroups,
  AgentSizes: agentSizes,
  GroupSizes: groupSizes,
  ToolGroups: toolGroups,
  GroupMatches: groupMatchesOutput,
  Health: healthOutput,
  Impact: impactOutput,
  Import: importJob,
  ImportApplied: importApplied,
  ImportApplying: importApplying,
  ImportCallers: importCallers,
  ImportEntry: importEntry,
  ImportStarted: importStarted,
  LinkedAccount: linkedAccountRow,
  LinkedAccountPage: linkedAccountPage,
  LinkEnded: linkEnded,
  LinkStarted: linkStarted,
  LinkStatus: linkStatus,
  MachineActivity: machineActivity,
  MatcherCounts: matcherCountsOutput,
  ClientRegistration: registrationRow,
  ClientRegistrationPage: registrationPage,
  Connection: connectionRow,
  ConnectionPage: connectionPage,
  ConnectionRequestAnswered: connectionRequestAnswered,
  Me: me,
  Overview: overviewOutput,
  DemoRows: demoOutput,
  PauseList: pauseList,
  Preview: previewOutput,
  Profile: profileRow,
  ProfileDrift: profileDriftRow,
  ProfileDriftAccepted: profileDriftAccepted,
  ProfileDriftPage: profileDriftPage,
  ProfilePage: profilePage,
  Readiness: readyOutput,
  Replay: replayOutput,
  Revision: revisionRow,
  RevisionDetail: revisionDetail,
  RevisionDiff: revisionDiff,
  RevisionPage: revisionPage,
  RevisionRestored: revisionRestored,
  Observations: observations,
  Rightsizing: rightsizingDetail,
  RightsizingPage: rightsizingPage,
  RightsizingRow: rightsizingRow,
  RowDeleted: rowDeleted,
  SourceHealthList: sourceHealthList,
  McpCommandList: mcpCommands,
  RowPlan: rowPlan,
  Revocation: revocationRow,
  LabelHolders: heldLabelList,
  HeldLabels: labelsOfHolder,
  FlowGuessAnswered: flowGuessAnswered,
  FlowGuessPage: flowGuessPage,
  FlowImpact: flowImpactOutput,
  Trifecta: trifectaOutput,
  RevocationList: revocationList,
  SavedView: savedViewRow,
  SavedViewPage: viewPage,
  SealStatus: sealStatus,
  SessionDetail: sessionDetail,
  SessionPage: sessionPage,
  SessionRow: sessionRow,
  Secret: secretRow,
  SecretList: secretPage,
  Settings: settingsOutput,
  SettingsSaved: settingsSaved,
  TokenTest: tokenTestOutput,
  Trial: tryOutput,
  ...Object.fromEntries(
    RESOURCE_NAMES.flatMap((name) => {
      const { schemaName, page, created, saved: stored } = RESOURCE_SCHEMAS[name];
      return [
        [schemaName, resources[name].row],
        [`${schemaName}Page`, page],
        [`${schemaName}Created`, created],
        [`${schemaName}Saved`, stored],
      ] as const;
    }),
  ),
};
