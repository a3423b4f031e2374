import { ACCESS_OPERATIONS } from "@/lib/contracts/operations/access-operations";
import { AGENT_OPERATIONS } from "@/lib/contracts/operations/agent-operations";
import { APPROVAL_OPERATIONS } from "@/lib/contracts/operations/approval-operations";
import { CLIENT_OPERATIONS } from "@/lib/contracts/operations/client-operations";
import { REQUEST_OPERATIONS } from "@/lib/contracts/operations/request-operations";
import { CONFIGURATION_OPERATIONS } from "@/lib/contracts/operations/configuration-operations";
import { DENIAL_OPERATIONS } from "@/lib/contracts/operations/denial-operations";
import { DRIFT_OPERATIONS } from "@/lib/contracts/operations/drift-operations";
import { EVENT_OPERATIONS } from "@/lib/contracts/operations/event-operations";
import { EXPORT_OPERATIONS } from "@/lib/contracts/operations/export-operations";
import { FLOW_OPERATIONS } from "@/lib/contracts/operations/flow-operations";
import { IDENTITY_OPERATIONS } from "@/lib/contracts/operations/identity-operations";
import { IMPORT_OPERATIONS } from "@/lib/contracts/operations/import-operations";
import { LABEL_OPERATIONS } from "@/lib/contracts/operations/label-operations";
import { LINKED_ACCOUNT_OPERATIONS } from "@/lib/contracts/operations/linked-account-operations";
import { LOG_OPERATIONS } from "@/lib/contracts/operations/log-operations";
import { OBSERVATION_OPERATIONS } from "@/lib/contracts/operations/observation-operations";
import type { Contracts, Operation } from "@/lib/contracts/operations/operation";
import { PREVIEW_OPERATIONS } from "@/lib/contracts/operations/preview-operations";
import { RESOURCE_OPERATIONS } from "@/lib/contracts/operations/resource-operations";
import { RETENTION_OPERATIONS } from "@/lib/contracts/operations/retention-operations";
import { RIGHTSIZING_OPERATIONS } from "@/lib/contracts/operations/rightsizing-operations";
import { SECRET_OPERATIONS } from "@/lib/contracts/operations/secret-operations";
import { SERVICE_OPERATIONS } from "@/lib/contracts/operations/service-operations";

const TABLES: readonly Contracts[] = [
  AGENT_OPERATIONS,
  APPROVAL_OPERATIONS,
  CLIENT_OPERATIONS,
  REQUEST_OPERATIONS,
  ACCESS_OPERATIONS,
  DENIAL_OPERATIONS,
  DRIFT_OPERATIONS,
  EVENT_OPERATIONS,
  EXPORT_OPERATIONS,
  FLOW_OPERATIONS,
  IDENTITY_OPERATIONS,
  IMPORT_OPERATIONS,
  LABEL_OPERATIONS,
  LINKED_ACCOUNT_OPERATIONS,
  LOG_OPERATIONS,
  OBSERVATION_OPERATIONS,
  CONFIGURATION_OPERATIONS,
  PREVIEW_OPERATIONS,
  RESOURCE_OPERATIONS,
  RETENTION_OPERATIONS,
  RIGHTSIZING_OPERATIONS,
  SECRET_OPERATIONS,
  SERVICE_OPERATIONS,
];

/** Every operation of the API. Routes import one table each, so that the gateway loads no admin schemas. */
export const OPERATIONS: readonly Operation[] = TABLES.flatMap((table) =>
  Object.entries(table).map(([id, contract]) => ({ id, ...contract })),
);
