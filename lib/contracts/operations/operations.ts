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
import type { Chapter, Contracts, Operation } from "@/lib/contracts/operations/operation";
import { PREVIEW_OPERATIONS } from "@/lib/contracts/operations/preview-operations";
import { RESOURCE_OPERATIONS } from "@/lib/contracts/operations/resource-operations";
import { RETENTION_OPERATIONS } from "@/lib/contracts/operations/retention-operations";
import { RIGHTSIZING_OPERATIONS } from "@/lib/contracts/operations/rightsizing-operations";
import { SECRET_OPERATIONS } from "@/lib/contracts/operations/secret-operations";
import { SERVICE_OPERATIONS } from "@/lib/contracts/operations/service-operations";

/** The tables, each with the chapter of its operations. An operation of another chapter states its own. */
const TABLES: readonly (readonly [Chapter, Contracts])[] = [
  ["agent-api", AGENT_OPERATIONS],
  ["log", APPROVAL_OPERATIONS],
  ["account", CLIENT_OPERATIONS],
  ["configuration", REQUEST_OPERATIONS],
  ["log", ACCESS_OPERATIONS],
  ["log", DENIAL_OPERATIONS],
  ["imports", DRIFT_OPERATIONS],
  ["webhooks", EVENT_OPERATIONS],
  ["configuration", EXPORT_OPERATIONS],
  ["preview", FLOW_OPERATIONS],
  ["account", IDENTITY_OPERATIONS],
  ["imports", IMPORT_OPERATIONS],
  ["labels", LABEL_OPERATIONS],
  ["linked-accounts", LINKED_ACCOUNT_OPERATIONS],
  ["log", LOG_OPERATIONS],
  ["preview", OBSERVATION_OPERATIONS],
  ["configuration", CONFIGURATION_OPERATIONS],
  ["preview", PREVIEW_OPERATIONS],
  ["configuration", RESOURCE_OPERATIONS],
  ["log", RETENTION_OPERATIONS],
  ["preview", RIGHTSIZING_OPERATIONS],
  ["secrets", SECRET_OPERATIONS],
  ["service", SERVICE_OPERATIONS],
];

/** Every operation of the API. Routes import one table each, so that the gateway loads no admin schemas. */
export const OPERATIONS: readonly Operation[] = TABLES.flatMap(([chapter, table]) =>
  Object.entries(table).map(([id, contract]) => ({ id, chapter, ...contract })),
);
