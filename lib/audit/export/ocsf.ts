import type { JsonObject } from "@/lib/access/model/configuration";
import type { ExecutionRow } from "@/lib/contracts/log/execution";
import { isRefusedAttempts } from "@/lib/contracts/log/refused-attempts";
import type { CallBodies } from "@/lib/store/log/execution-bodies";

/**
 * API Activity of the Open Cybersecurity Schema Framework (schema.ocsf.io), with the profile for allowed and refused
 * actions.
 */
const VERSION = "1.3.0";
const CLASS = 6003;
const CATEGORY = 6;
/** `Other`: a tool call, whatever its effect. */
const ACTIVITY = 99;
const INFORMATIONAL = 1;

/** Outcomes as OCSF numbers them: 1 success, 2 failure, 0 unknown. */
const STATUS: Partial<Record<ExecutionRow["status"], number>> = { succeeded: 1, failed: 2, denied: 2, cancelled: 2 };

/**
 * An execution as an OCSF event, with its bodies when present. Times are milliseconds since 1970. Fields without an
 * OCSF name are under `unmapped`.
 */
export function toOcsf(row: ExecutionRow & Partial<CallBodies>): JsonObject {
  const denied = row.status === "denied";
  return {
    metadata: {
      version: VERSION,
      product: { name: "Quartermaster", vendor_name: "Quartermaster" },
      profiles: ["security_control"],
      uid: row.callId,
      ...(row.traceId !== null && { correlation_uid: row.traceId }),
    },
    class_uid: CLASS,
    class_name: "API Activity",
    category_uid: CATEGORY,
    category_name: "Application Activity",
    activity_id: ACTIVITY,
    activity_name: "Execute tool",
    type_uid: CLASS * 100 + ACTIVITY,
    severity_id: INFORMATIONAL,
    time: Date.parse(row.at),
    ...(isRefusedAttempts(row) && { count: row.attempts }),
    ...(row.gatewayMs !== null && { duration: Math.round(row.gatewayMs + (row.upstreamMs ?? 0)) }),
    status_id: STATUS[row.status] ?? 0,
    status: row.status,
    ...(row.code !== null && { status_code: row.code }),
    ...(row.reason !== null && { status_detail: row.reason }),
    action_id: denied ? 2 : 1,
    action: denied ? "Denied" : "Allowed",
    disposition_id: denied ? 2 : 1,
    actor: {
      user: { uid: row.subject, ...(row.agent !== null && { name: row.agent }), domain: row.issuer },
      ...(row.session !== null && { session: { uid: row.session } }),
    },
    api: {
      operation: row.toolId ?? (row.asked || "connect"),
      request: { uid: row.requestId, ...(row.arguments !== undefined && { data: row.arguments }) },
      ...(row.result !== undefined && { response: { data: row.result } }),
      ...(row.toolId !== null && { service: { name: row.toolId.slice(0, row.toolId.indexOf(":")) } }),
    },
    // The log does not hold the agent's address, but its identity.
    src_endpoint: { uid: row.subject, ...(row.agent !== null && { name: row.agent }) },
    unmapped: {
      policies: row.policies,
      groups: row.groups,
      flow_rules: row.flowRules,
      revision: row.revision,
      state_before: row.stateBefore,
      state_after: row.stateAfter,
      mode: row.mode,
      attempts: row.attempts,
      parent: row.parent,
      ...(row.erased !== undefined && { erased: row.erased, truncated: row.truncated ?? null }),
    },
  };
}
