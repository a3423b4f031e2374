import { AGENT_OPERATIONS } from "@/lib/api/agent-operations";
import { APPROVAL_OPERATIONS } from "@/lib/api/approval-operations";
import { CONFIGURATION_OPERATIONS } from "@/lib/api/configuration-operations";
import { DENIAL_OPERATIONS } from "@/lib/api/denial-operations";
import { DRIFT_OPERATIONS } from "@/lib/api/drift-operations";
import { EVENT_OPERATIONS } from "@/lib/api/event-operations";
import { EXPORT_OPERATIONS } from "@/lib/api/export-operations";
import { IDENTITY_OPERATIONS } from "@/lib/api/identity-operations";
import { IMPORT_OPERATIONS } from "@/lib/api/import-operations";
import { LOG_OPERATIONS } from "@/lib/api/log-operations";
import type { Operation } from "@/lib/api/operation";
import { PREVIEW_OPERATIONS } from "@/lib/api/preview-operations";
import { RESOURCE_OPERATIONS } from "@/lib/api/resource-operations";
import { RETENTION_OPERATIONS } from "@/lib/api/retention-operations";
import { SECRET_OPERATIONS } from "@/lib/api/secret-operations";
import { SERVICE_OPERATIONS } from "@/lib/api/service-operations";

/** The table of the API: a route that is not in it fails test/api/openapi-document.test.ts. */
export const OPERATIONS: readonly Operation[] = [
  ...AGENT_OPERATIONS,
  ...APPROVAL_OPERATIONS,
  ...DENIAL_OPERATIONS,
  ...DRIFT_OPERATIONS,
  ...EVENT_OPERATIONS,
  ...EXPORT_OPERATIONS,
  ...IDENTITY_OPERATIONS,
  ...IMPORT_OPERATIONS,
  ...LOG_OPERATIONS,
  ...CONFIGURATION_OPERATIONS,
  ...PREVIEW_OPERATIONS,
  ...RESOURCE_OPERATIONS,
  ...RETENTION_OPERATIONS,
  ...SECRET_OPERATIONS,
  ...SERVICE_OPERATIONS,
];
