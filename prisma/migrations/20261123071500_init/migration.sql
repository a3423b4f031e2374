-- The baseline: a whole database. Written by the engine from prisma/schema, then by hand from "What the models cannot say".

-- CreateSchema
CREATE SCHEMA IF NOT EXISTS "public";

-- CreateTable
CREATE TABLE "approval" (
    "callId" TEXT NOT NULL,
    "status" TEXT NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "closesAt" TIMESTAMPTZ(3) NOT NULL,
    "issuer" TEXT NOT NULL,
    "subject" TEXT NOT NULL,
    "agent" TEXT,
    "toolId" TEXT NOT NULL,
    "definitionHash" TEXT NOT NULL,
    "argumentsDigest" TEXT NOT NULL,
    "decidedBy" TEXT,
    "reason" TEXT,

    CONSTRAINT "approval_pkey" PRIMARY KEY ("callId")
);

-- CreateTable
CREATE TABLE "audit_event" (
    "id" BIGSERIAL NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "kind" TEXT NOT NULL,
    "actor" TEXT NOT NULL,
    "role" TEXT NOT NULL,
    "action" TEXT NOT NULL,
    "target" TEXT NOT NULL,
    "requestId" TEXT,
    "address" TEXT,
    "count" INTEGER NOT NULL DEFAULT 1,
    "detail" TEXT,
    "xid" xid8 NOT NULL DEFAULT pg_current_xact_id(),

    CONSTRAINT "audit_event_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "source_breaker" (
    "source" TEXT NOT NULL,
    "instance" TEXT NOT NULL,
    "state" TEXT NOT NULL,
    "since" TIMESTAMPTZ(3) NOT NULL,
    "reason" TEXT NOT NULL,

    CONSTRAINT "source_breaker_pkey" PRIMARY KEY ("source","instance")
);

-- CreateTable
CREATE TABLE "issuer" (
    "name" TEXT NOT NULL,
    "description" TEXT NOT NULL DEFAULT '',
    "issuer" TEXT NOT NULL,
    "audience" TEXT NOT NULL,
    "jwksUri" TEXT,
    "jwks" JSONB,
    "algorithms" TEXT[],
    "types" TEXT[],
    "allowUnregistered" BOOLEAN NOT NULL DEFAULT true,
    "capabilitiesClaim" TEXT,
    "enabled" BOOLEAN NOT NULL DEFAULT true,
    "revision" INTEGER NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL,
    "updatedAt" TIMESTAMPTZ(3) NOT NULL,
    "maxTokenAgeSeconds" INTEGER NOT NULL DEFAULT 86400,

    CONSTRAINT "issuer_pkey" PRIMARY KEY ("name")
);

-- CreateTable
CREATE TABLE "agent" (
    "name" TEXT NOT NULL,
    "description" TEXT NOT NULL DEFAULT '',
    "enabled" BOOLEAN NOT NULL DEFAULT true,
    "issuer" TEXT,
    "subject" TEXT,
    "attributes" JSONB NOT NULL,
    "persona" TEXT,
    "profile" TEXT,
    "machine" TEXT,
    "stateHeldByServer" BOOLEAN NOT NULL DEFAULT true,
    "limits" JSONB NOT NULL,
    "revision" INTEGER NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL,
    "updatedAt" TIMESTAMPTZ(3) NOT NULL,
    "callbackOrigins" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "disabledReason" TEXT,

    CONSTRAINT "agent_pkey" PRIMARY KEY ("name")
);

-- CreateTable
CREATE TABLE "api_key" (
    "name" TEXT NOT NULL,
    "agent" TEXT NOT NULL,
    "keyId" TEXT NOT NULL,
    "hash" BYTEA NOT NULL,
    "lastFour" TEXT NOT NULL,
    "enabled" BOOLEAN NOT NULL DEFAULT true,
    "expiresAt" TIMESTAMPTZ(3) NOT NULL,
    "lastUsedAt" TIMESTAMPTZ(3),
    "revision" INTEGER NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL,
    "updatedAt" TIMESTAMPTZ(3) NOT NULL,
    "previousHash" BYTEA,
    "previousKeyId" TEXT,
    "previousLastFour" TEXT,
    "previousUntil" TIMESTAMPTZ(3),

    CONSTRAINT "api_key_pkey" PRIMARY KEY ("name")
);

-- CreateTable
CREATE TABLE "revoked_token" (
    "name" TEXT NOT NULL,
    "issuer" TEXT NOT NULL,
    "jti" TEXT NOT NULL,
    "until" TIMESTAMPTZ(3) NOT NULL,
    "by" TEXT NOT NULL,
    "revision" INTEGER NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL,
    "updatedAt" TIMESTAMPTZ(3) NOT NULL,
    "reason" TEXT NOT NULL DEFAULT '',

    CONSTRAINT "revoked_token_pkey" PRIMARY KEY ("name")
);

-- CreateTable
CREATE TABLE "token" (
    "name" TEXT NOT NULL,
    "role" TEXT NOT NULL,
    "hash" BYTEA NOT NULL,
    "lastFour" TEXT NOT NULL,
    "enabled" BOOLEAN NOT NULL DEFAULT true,
    "createdBy" TEXT NOT NULL,
    "expiresAt" TIMESTAMPTZ(3) NOT NULL,
    "lastUsedAt" TIMESTAMPTZ(3),
    "revision" INTEGER NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL,
    "updatedAt" TIMESTAMPTZ(3) NOT NULL,
    "ownerId" UUID,

    CONSTRAINT "token_pkey" PRIMARY KEY ("name")
);

-- CreateTable
CREATE TABLE "handled_denial" (
    "id" TEXT NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "actor" TEXT NOT NULL,

    CONSTRAINT "handled_denial_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "drift" (
    "id" TEXT NOT NULL,
    "source" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "severity" TEXT NOT NULL,
    "since" TIMESTAMPTZ(3) NOT NULL,
    "proposed" JSON,
    "rejectedBy" TEXT,
    "revision" INTEGER NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL,
    "updatedAt" TIMESTAMPTZ(3) NOT NULL,
    "heldByHand" BOOLEAN NOT NULL DEFAULT false,

    CONSTRAINT "drift_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "source_sync" (
    "source" TEXT NOT NULL,
    "startedAt" TIMESTAMPTZ(3) NOT NULL,
    "busyUntil" TIMESTAMPTZ(3),
    "syncedAt" TIMESTAMPTZ(3),
    "failures" INTEGER NOT NULL DEFAULT 0,
    "failedAt" TIMESTAMPTZ(3),
    "error" TEXT,
    "deafSince" TIMESTAMPTZ(3),

    CONSTRAINT "source_sync_pkey" PRIMARY KEY ("source")
);

-- CreateTable
CREATE TABLE "webhook" (
    "name" TEXT NOT NULL,
    "description" TEXT NOT NULL DEFAULT '',
    "url" TEXT NOT NULL,
    "events" TEXT[],
    "active" BOOLEAN NOT NULL DEFAULT true,
    "switchedOff" TEXT,
    "lastFour" TEXT NOT NULL,
    "ciphertext" TEXT NOT NULL,
    "previousCiphertext" TEXT,
    "previousUntil" TIMESTAMPTZ(3),
    "revision" INTEGER NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL,
    "updatedAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "webhook_pkey" PRIMARY KEY ("name")
);

-- CreateTable
CREATE TABLE "event" (
    "id" TEXT NOT NULL,
    "type" TEXT NOT NULL,
    "key" TEXT,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "path" TEXT NOT NULL,
    "data" JSONB NOT NULL,

    CONSTRAINT "event_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "delivery" (
    "id" TEXT NOT NULL,
    "type" TEXT NOT NULL,
    "webhook" TEXT,
    "eventId" TEXT,
    "callId" TEXT,
    "origin" TEXT,
    "sealed" TEXT,
    "status" TEXT NOT NULL DEFAULT 'pending',
    "tries" INTEGER NOT NULL DEFAULT 0,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "dueAt" TIMESTAMPTZ(3),
    "note" TEXT,

    CONSTRAINT "delivery_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "delivery_attempt" (
    "id" BIGSERIAL NOT NULL,
    "deliveryId" TEXT NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "status" INTEGER,
    "ms" DOUBLE PRECISION NOT NULL,
    "error" TEXT,
    "answer" TEXT,

    CONSTRAINT "delivery_attempt_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "execution" (
    "callId" TEXT NOT NULL,
    "instance" TEXT NOT NULL,
    "requestId" TEXT NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "door" TEXT NOT NULL,
    "issuer" TEXT NOT NULL,
    "subject" TEXT NOT NULL,
    "agent" TEXT,
    "claimsDigest" TEXT NOT NULL,
    "toolId" TEXT,
    "source" TEXT,
    "asked" TEXT NOT NULL,
    "definitionHash" TEXT,
    "policies" TEXT[],
    "groups" TEXT[],
    "revision" INTEGER NOT NULL,
    "session" TEXT,
    "stateBefore" TEXT,
    "mode" TEXT,
    "request" JSONB NOT NULL,
    "argumentsDigest" TEXT,
    "parent" TEXT,
    "traceId" TEXT,
    "argumentsCommitment" TEXT,
    "xid" xid8 NOT NULL DEFAULT pg_current_xact_id(),
    "client" TEXT,

    CONSTRAINT "execution_pkey" PRIMARY KEY ("callId","at")
) PARTITION BY RANGE ("at");

-- CreateTable
CREATE TABLE "execution_outcome" (
    "callId" TEXT NOT NULL,
    "callAt" TIMESTAMPTZ(3) NOT NULL DEFAULT '-infinity'::timestamptz,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "status" TEXT NOT NULL,
    "code" TEXT,
    "reason" TEXT,
    "error" JSONB,
    "stateAfter" TEXT,
    "attempts" INTEGER NOT NULL,
    "gatewayMs" DOUBLE PRECISION,
    "upstreamMs" DOUBLE PRECISION,
    "empty" BOOLEAN NOT NULL,
    "resultCommitment" TEXT,
    "xid" xid8 NOT NULL DEFAULT pg_current_xact_id(),

    CONSTRAINT "execution_outcome_pkey" PRIMARY KEY ("callId","callAt")
) PARTITION BY RANGE ("callAt");

-- CreateTable
CREATE TABLE "execution_body" (
    "callId" TEXT NOT NULL,
    "callAt" TIMESTAMPTZ(3) NOT NULL DEFAULT '-infinity'::timestamptz,
    "part" TEXT NOT NULL,
    "text" TEXT NOT NULL,
    "digest" TEXT NOT NULL,
    "sha256" TEXT,
    "bytes" INTEGER,
    "key" BYTEA,

    CONSTRAINT "execution_body_pkey" PRIMARY KEY ("callId","part","callAt")
) PARTITION BY RANGE ("callAt");

-- CreateTable
CREATE TABLE "execution_claims" (
    "digest" TEXT NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "ciphertext" TEXT NOT NULL,

    CONSTRAINT "execution_claims_pkey" PRIMARY KEY ("digest")
);

-- CreateTable
CREATE TABLE "instance" (
    "id" TEXT NOT NULL,
    "seenAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "instance_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "import_job" (
    "id" UUID NOT NULL,
    "source" TEXT NOT NULL,
    "url" TEXT,
    "title" TEXT,
    "status" TEXT NOT NULL DEFAULT 'running',
    "done" INTEGER NOT NULL DEFAULT 0,
    "total" INTEGER NOT NULL DEFAULT 0,
    "tools" JSONB NOT NULL DEFAULT '[]',
    "plan" JSONB NOT NULL,
    "warnings" JSONB NOT NULL,
    "error" TEXT,
    "createdBy" TEXT NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL,
    "auth" JSONB,
    "suggestedAuth" JSONB NOT NULL DEFAULT '[]',
    "applied" JSONB,
    "beatAt" TIMESTAMPTZ(3),

    CONSTRAINT "import_job_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "import_tool" (
    "import" UUID NOT NULL,
    "place" INTEGER NOT NULL,
    "tool" JSONB NOT NULL,

    CONSTRAINT "import_tool_pkey" PRIMARY KEY ("import","place")
);

-- CreateTable
CREATE TABLE "upstream_definition" (
    "tool" TEXT NOT NULL,
    "definition" JSONB NOT NULL,

    CONSTRAINT "upstream_definition_pkey" PRIMARY KEY ("tool")
);

-- CreateTable
CREATE TABLE "kept_call" (
    "callId" TEXT NOT NULL,
    "principal" TEXT NOT NULL,
    "idempotencyKey" TEXT,
    "bodyDigest" TEXT NOT NULL,
    "status" TEXT NOT NULL,
    "instance" TEXT,
    "job" TEXT,
    "answer" TEXT,
    "cancelled" BOOLEAN NOT NULL DEFAULT false,
    "repeatable" BOOLEAN NOT NULL DEFAULT false,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "endsAt" TIMESTAMPTZ(3) NOT NULL,
    "later" BOOLEAN NOT NULL DEFAULT false,

    CONSTRAINT "kept_call_pkey" PRIMARY KEY ("callId")
);

-- CreateTable
CREATE TABLE "limit_window" (
    "key" TEXT NOT NULL,
    "used" INTEGER NOT NULL,
    "endsAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "limit_window_pkey" PRIMARY KEY ("key")
);

-- CreateTable
CREATE TABLE "limit_lease" (
    "key" TEXT NOT NULL,
    "holder" TEXT NOT NULL,
    "endsAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "limit_lease_pkey" PRIMARY KEY ("key","holder")
);

-- CreateTable
CREATE TABLE "mcp_session" (
    "id" TEXT NOT NULL,
    "issuer" TEXT NOT NULL,
    "subject" TEXT NOT NULL,
    "lastUsedAt" TIMESTAMPTZ(3) NOT NULL,
    "client" TEXT,

    CONSTRAINT "mcp_session_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "person" (
    "id" UUID NOT NULL DEFAULT gen_random_uuid(),
    "name" TEXT NOT NULL,
    "email" TEXT NOT NULL,
    "displayName" TEXT NOT NULL DEFAULT '',
    "role" TEXT NOT NULL,
    "passwordHash" TEXT,
    "enabled" BOOLEAN NOT NULL DEFAULT true,
    "sessionEpoch" INTEGER NOT NULL DEFAULT 0,
    "lastSignInAt" TIMESTAMPTZ(3),
    "revision" INTEGER NOT NULL DEFAULT 0,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updatedAt" TIMESTAMPTZ(3) NOT NULL,
    "issuer" TEXT,
    "subject" TEXT,
    "openIdCheckedAt" TIMESTAMPTZ(3),
    "openIdClaimedAt" TIMESTAMPTZ(3),
    "openIdGrant" TEXT,
    "openIdRefused" BOOLEAN NOT NULL DEFAULT false,

    CONSTRAINT "person_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "sign_in_attempt" (
    "id" BIGSERIAL NOT NULL,
    "account" TEXT NOT NULL,
    "address" TEXT NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "sign_in_attempt_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE SEQUENCE view_revision_seq;
CREATE TABLE "view" (
    "name" TEXT NOT NULL,
    "resource" TEXT NOT NULL,
    "owner" TEXT NOT NULL,
    "shared" BOOLEAN NOT NULL DEFAULT false,
    "query" JSONB NOT NULL,
    "revision" INTEGER NOT NULL DEFAULT nextval('view_revision_seq'),
    "createdAt" TIMESTAMPTZ(3) NOT NULL,
    "updatedAt" TIMESTAMPTZ(3) NOT NULL,
    "columns" TEXT[] DEFAULT ARRAY[]::TEXT[],

    CONSTRAINT "view_pkey" PRIMARY KEY ("name")
);
ALTER SEQUENCE view_revision_seq OWNED BY "view"."revision";

-- CreateTable
CREATE TABLE "log_erasure" (
    "name" TEXT NOT NULL,
    "issuer" TEXT,
    "subject" TEXT,
    "agent" TEXT,
    "from" TIMESTAMPTZ(3),
    "to" TIMESTAMPTZ(3) NOT NULL,
    "calls" INTEGER NOT NULL,
    "bodies" INTEGER NOT NULL,
    "claims" INTEGER NOT NULL,
    "sessions" INTEGER NOT NULL,
    "by" TEXT NOT NULL,
    "revision" INTEGER NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL,
    "updatedAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "log_erasure_pkey" PRIMARY KEY ("name")
);

-- CreateTable
CREATE TABLE "log_archive" (
    "id" TEXT NOT NULL,
    "month" TEXT NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "actor" TEXT NOT NULL,
    "place" TEXT NOT NULL,
    "rows" INTEGER NOT NULL,
    "bodies" INTEGER NOT NULL,
    "parts" JSONB NOT NULL,
    "seals" JSONB NOT NULL,
    "keyId" TEXT NOT NULL,
    "signature" TEXT NOT NULL,

    CONSTRAINT "log_archive_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "log_drop" (
    "name" TEXT NOT NULL,
    "archive" TEXT NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "rows" INTEGER NOT NULL,
    "by" TEXT NOT NULL,
    "keyId" TEXT NOT NULL,
    "signature" TEXT NOT NULL,
    "revision" INTEGER NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL,
    "updatedAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "log_drop_pkey" PRIMARY KEY ("name")
);

-- CreateTable
CREATE TABLE "log_archiving" (
    "month" TEXT NOT NULL,
    "actor" JSONB NOT NULL,
    "status" TEXT NOT NULL,
    "askedAt" TIMESTAMPTZ(3) NOT NULL,
    "updatedAt" TIMESTAMPTZ(3) NOT NULL,
    "done" INTEGER NOT NULL DEFAULT 0,
    "total" INTEGER NOT NULL DEFAULT 0,
    "error" TEXT,

    CONSTRAINT "log_archiving_pkey" PRIMARY KEY ("month")
);

-- CreateTable
CREATE TABLE "config_state" (
    "id" INTEGER NOT NULL DEFAULT 1,
    "revision" INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT "config_state_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "revision" (
    "number" INTEGER NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "kind" TEXT NOT NULL,
    "actor" TEXT NOT NULL,
    "role" TEXT NOT NULL,
    "note" TEXT NOT NULL DEFAULT '',

    CONSTRAINT "revision_pkey" PRIMARY KEY ("number")
);

-- CreateTable
CREATE TABLE "change" (
    "id" BIGSERIAL NOT NULL,
    "revision" INTEGER NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "kind" TEXT NOT NULL,
    "actor" TEXT NOT NULL,
    "role" TEXT NOT NULL,
    "resource" TEXT NOT NULL,
    "rowId" TEXT NOT NULL,
    "action" TEXT NOT NULL,
    "before" JSONB,
    "after" JSONB,

    CONSTRAINT "change_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "settings" (
    "name" TEXT NOT NULL DEFAULT 'settings',
    "value" JSONB NOT NULL,
    "revision" INTEGER NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL,
    "updatedAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "settings_pkey" PRIMARY KEY ("name")
);

-- CreateTable
CREATE TABLE "pause" (
    "name" TEXT NOT NULL,
    "scope" TEXT NOT NULL,
    "target" TEXT,
    "reason" TEXT NOT NULL,
    "by" TEXT NOT NULL,
    "revision" INTEGER NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL,
    "updatedAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "pause_pkey" PRIMARY KEY ("name")
);

-- CreateTable
CREATE TABLE "drift_acceptance" (
    "name" TEXT NOT NULL,
    "profile" TEXT NOT NULL,
    "tool" TEXT NOT NULL,
    "definitionHash" TEXT NOT NULL,
    "by" TEXT NOT NULL,
    "revision" INTEGER NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL,
    "updatedAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "drift_acceptance_pkey" PRIMARY KEY ("name")
);

-- CreateTable
CREATE TABLE "tool_group" (
    "name" TEXT NOT NULL,
    "description" TEXT NOT NULL DEFAULT '',
    "guidance" TEXT,
    "active" BOOLEAN NOT NULL DEFAULT true,
    "selectors" JSONB NOT NULL,
    "include" JSONB NOT NULL,
    "exclude" JSONB NOT NULL,
    "revision" INTEGER NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL,
    "updatedAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "tool_group_pkey" PRIMARY KEY ("name")
);

-- CreateTable
CREATE TABLE "policy" (
    "name" TEXT NOT NULL,
    "description" TEXT NOT NULL DEFAULT '',
    "effect" TEXT NOT NULL DEFAULT 'allow',
    "priority" INTEGER NOT NULL DEFAULT 0,
    "active" BOOLEAN NOT NULL DEFAULT true,
    "validFrom" TIMESTAMPTZ(3),
    "validUntil" TIMESTAMPTZ(3),
    "matchers" JSONB NOT NULL,
    "everyone" BOOLEAN NOT NULL DEFAULT false,
    "arguments" JSONB NOT NULL,
    "groups" JSONB NOT NULL,
    "revision" INTEGER NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL,
    "updatedAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "policy_pkey" PRIMARY KEY ("name")
);

-- CreateTable
CREATE TABLE "machine" (
    "name" TEXT NOT NULL,
    "description" TEXT NOT NULL DEFAULT '',
    "initial" TEXT NOT NULL,
    "openStart" BOOLEAN NOT NULL DEFAULT false,
    "states" JSONB NOT NULL,
    "rules" JSONB NOT NULL,
    "revision" INTEGER NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL,
    "updatedAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "machine_pkey" PRIMARY KEY ("name")
);

-- CreateTable
CREATE TABLE "persona" (
    "name" TEXT NOT NULL,
    "description" TEXT NOT NULL DEFAULT '',
    "capabilities" TEXT[],
    "sampleClaims" JSONB NOT NULL,
    "revision" INTEGER NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL,
    "updatedAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "persona_pkey" PRIMARY KEY ("name")
);

-- CreateTable
CREATE TABLE "intent" (
    "name" TEXT NOT NULL,
    "description" TEXT NOT NULL DEFAULT '',
    "groups" JSONB NOT NULL,
    "revision" INTEGER NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL,
    "updatedAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "intent_pkey" PRIMARY KEY ("name")
);

-- CreateTable
CREATE TABLE "assertion" (
    "name" TEXT NOT NULL,
    "description" TEXT NOT NULL DEFAULT '',
    "given" JSONB NOT NULL,
    "expect" JSONB NOT NULL,
    "revision" INTEGER NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL,
    "updatedAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "assertion_pkey" PRIMARY KEY ("name")
);

-- CreateTable
CREATE TABLE "seal" (
    "number" INTEGER NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "era" INTEGER NOT NULL,
    "fromXid" BIGINT NOT NULL,
    "toXid" BIGINT NOT NULL,
    "count" INTEGER NOT NULL,
    "root" TEXT NOT NULL,
    "previous" TEXT NOT NULL,
    "keyId" TEXT NOT NULL,
    "signature" TEXT NOT NULL,
    "auditFrom" BIGINT,

    CONSTRAINT "seal_pkey" PRIMARY KEY ("number")
);

-- CreateTable
CREATE TABLE "seal_leaves" (
    "number" INTEGER NOT NULL,
    "records" TEXT[],
    "hashes" BYTEA NOT NULL,

    CONSTRAINT "seal_leaves_pkey" PRIMARY KEY ("number")
);

-- CreateTable
CREATE TABLE "seal_key" (
    "keyId" TEXT NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "x" TEXT NOT NULL,
    "vouchedBy" TEXT NOT NULL,
    "signature" TEXT NOT NULL,

    CONSTRAINT "seal_key_pkey" PRIMARY KEY ("keyId")
);

-- CreateTable
CREATE TABLE "log_export" (
    "id" TEXT NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "actor" TEXT NOT NULL,
    "format" TEXT NOT NULL,
    "filter" JSONB NOT NULL,
    "columns" TEXT[],
    "count" INTEGER NOT NULL,
    "sha256" TEXT NOT NULL,
    "seal" INTEGER,
    "keyId" TEXT NOT NULL,
    "signature" TEXT NOT NULL,

    CONSTRAINT "log_export_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "agent_session" (
    "id" TEXT NOT NULL,
    "issuer" TEXT NOT NULL,
    "subject" TEXT NOT NULL,
    "agent" TEXT,
    "question" TEXT,
    "group" JSONB NOT NULL,
    "state" TEXT NOT NULL,
    "machine" TEXT,
    "profile" TEXT,
    "intent" TEXT,
    "confidence" DOUBLE PRECISION,
    "escalated" BOOLEAN NOT NULL DEFAULT false,
    "recent" JSONB NOT NULL DEFAULT '[]',
    "history" JSONB NOT NULL DEFAULT '[]',
    "metadata" JSONB NOT NULL DEFAULT '{}',
    "calls" INTEGER NOT NULL DEFAULT 0,
    "createdAt" TIMESTAMPTZ(3) NOT NULL,
    "lastUsedAt" TIMESTAMPTZ(3) NOT NULL,
    "expiresAt" TIMESTAMPTZ(3) NOT NULL,
    "version" INTEGER NOT NULL DEFAULT 1,
    "heldBy" TEXT,
    "heldUntil" TIMESTAMPTZ(3),
    "holder" TEXT,
    "bytes" INTEGER NOT NULL DEFAULT 0,
    "client" TEXT,

    CONSTRAINT "agent_session_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "source" (
    "name" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "displayName" TEXT,
    "description" TEXT NOT NULL DEFAULT '',
    "url" TEXT,
    "enabled" BOOLEAN NOT NULL DEFAULT true,
    "auth" JSONB NOT NULL,
    "joinNewOperations" TEXT NOT NULL DEFAULT 'review',
    "limits" JSONB NOT NULL,
    "revision" INTEGER NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL,
    "updatedAt" TIMESTAMPTZ(3) NOT NULL,
    "syncMinutes" INTEGER,
    "command" TEXT,
    "idempotencyHeader" TEXT,
    "outputCheck" TEXT,
    "disabledReason" TEXT,

    CONSTRAINT "source_pkey" PRIMARY KEY ("name")
);

-- CreateTable
CREATE TABLE "secret" (
    "name" TEXT NOT NULL,
    "ciphertext" TEXT NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL,
    "updatedAt" TIMESTAMPTZ(3) NOT NULL,
    "lastUsedAt" TIMESTAMPTZ(3),
    "origins" TEXT[],
    "revision" INTEGER NOT NULL,
    "setAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "secret_pkey" PRIMARY KEY ("name")
);

-- CreateTable
CREATE TABLE "tool" (
    "id" TEXT NOT NULL,
    "source" TEXT NOT NULL,
    "operation" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "displayName" TEXT,
    "description" TEXT NOT NULL,
    "guidance" TEXT,
    "category" TEXT,
    "version" TEXT,
    "inputSchema" JSON NOT NULL,
    "outputSchema" JSON,
    "annotations" JSONB NOT NULL,
    "path" TEXT,
    "method" TEXT,
    "tags" TEXT[],
    "labels" TEXT[],
    "groups" JSONB,
    "state" TEXT,
    "availableInStates" JSONB,
    "requiredCapabilities" TEXT[],
    "hasSideEffects" BOOLEAN NOT NULL DEFAULT false,
    "enabled" BOOLEAN NOT NULL DEFAULT true,
    "status" TEXT NOT NULL DEFAULT 'active',
    "run" JSONB,
    "limits" JSONB NOT NULL,
    "requiresApproval" BOOLEAN NOT NULL DEFAULT false,
    "longRunning" BOOLEAN NOT NULL DEFAULT false,
    "requiredScopes" TEXT[],
    "definitionHash" TEXT NOT NULL,
    "revision" INTEGER NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL,
    "updatedAt" TIMESTAMPTZ(3) NOT NULL,
    "upstreamScopes" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "idempotencyHeader" TEXT,
    "outputCheck" TEXT,
    "disabledReason" TEXT,
    "mcp" JSON,

    CONSTRAINT "tool_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "output_misfit" (
    "toolId" TEXT NOT NULL,
    "definitionHash" TEXT NOT NULL,
    "pointer" TEXT NOT NULL,
    "message" TEXT NOT NULL,
    "callId" TEXT NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "output_misfit_pkey" PRIMARY KEY ("toolId")
);

-- CreateIndex
CREATE INDEX "approval_closesAt_callId_idx" ON "approval"("closesAt" DESC, "callId" DESC);

-- CreateIndex
CREATE INDEX "approval_status_closesAt_idx" ON "approval"("status", "closesAt");

-- CreateIndex
CREATE INDEX "approval_at_callId_idx" ON "approval"("at" DESC, "callId" DESC);

-- CreateIndex
CREATE INDEX "approval_agent_closesAt_idx" ON "approval"("agent", "closesAt" DESC);

-- CreateIndex
CREATE INDEX "approval_subject_closesAt_idx" ON "approval"("subject", "closesAt" DESC);

-- CreateIndex
CREATE INDEX "approval_toolId_closesAt_idx" ON "approval"("toolId", "closesAt" DESC);

-- CreateIndex
CREATE INDEX "approval_decidedBy_closesAt_idx" ON "approval"("decidedBy", "closesAt" DESC);

-- CreateIndex
CREATE INDEX "audit_event_at_id_idx" ON "audit_event"("at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "audit_event_target_id_idx" ON "audit_event"("target", "id" DESC);

-- CreateIndex
CREATE INDEX "audit_event_xid_idx" ON "audit_event"("xid");

-- CreateIndex
CREATE INDEX "audit_event_action_at_id_idx" ON "audit_event"("action", "at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "audit_event_actor_at_id_idx" ON "audit_event"("actor", "at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "audit_event_target_at_id_idx" ON "audit_event"("target", "at" DESC, "id" DESC);

-- CreateIndex
CREATE UNIQUE INDEX "issuer_issuer_key" ON "issuer"("issuer");

-- CreateIndex
CREATE INDEX "agent_updatedAt_name_idx" ON "agent"("updatedAt", "name");

-- CreateIndex
CREATE UNIQUE INDEX "agent_issuer_subject_key" ON "agent"("issuer", "subject");

-- CreateIndex
CREATE UNIQUE INDEX "api_key_keyId_key" ON "api_key"("keyId");

-- CreateIndex
CREATE UNIQUE INDEX "api_key_previousKeyId_key" ON "api_key"("previousKeyId");

-- CreateIndex
CREATE INDEX "api_key_agent_name_idx" ON "api_key"("agent", "name");

-- CreateIndex
CREATE UNIQUE INDEX "token_hash_key" ON "token"("hash");

-- CreateIndex
CREATE INDEX "drift_source_id_idx" ON "drift"("source", "id");

-- CreateIndex
CREATE INDEX "drift_since_id_idx" ON "drift"("since" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "drift_kind_since_id_idx" ON "drift"("kind", "since" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "drift_severity_since_id_idx" ON "drift"("severity", "since" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "drift_rejectedBy_since_id_idx" ON "drift"("rejectedBy", "since" DESC, "id" DESC);

-- CreateIndex
CREATE UNIQUE INDEX "event_key_key" ON "event"("key");

-- CreateIndex
CREATE INDEX "event_at_idx" ON "event"("at");

-- CreateIndex
CREATE INDEX "delivery_at_id_idx" ON "delivery"("at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "delivery_webhook_at_idx" ON "delivery"("webhook", "at" DESC);

-- CreateIndex
CREATE INDEX "delivery_status_at_id_idx" ON "delivery"("status", "at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "delivery_type_at_id_idx" ON "delivery"("type", "at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "delivery_eventId_idx" ON "delivery"("eventId");

-- CreateIndex
CREATE INDEX "delivery_callId_idx" ON "delivery"("callId");

-- CreateIndex
CREATE INDEX "delivery_attempt_deliveryId_id_idx" ON "delivery_attempt"("deliveryId", "id");

-- CreateIndex
CREATE INDEX "execution_xid_idx" ON "execution"("xid");

-- CreateIndex
CREATE INDEX "execution_at_callId_idx" ON "execution"("at" DESC, "callId" DESC);

-- CreateIndex
CREATE INDEX "execution_agent_at_idx" ON "execution"("agent", "at" DESC);

-- CreateIndex
CREATE INDEX "execution_subject_at_idx" ON "execution"("subject", "at" DESC);

-- CreateIndex
CREATE INDEX "execution_toolId_at_idx" ON "execution"("toolId", "at" DESC);

-- CreateIndex
CREATE INDEX "execution_source_at_idx" ON "execution"("source", "at" DESC);

-- CreateIndex
CREATE INDEX "execution_session_at_idx" ON "execution"("session", "at" DESC);

-- CreateIndex
CREATE INDEX "execution_groups_idx" ON "execution" USING GIN ("groups");

-- CreateIndex
CREATE INDEX "execution_policies_idx" ON "execution" USING GIN ("policies");

-- CreateIndex
CREATE INDEX "execution_revision_at_idx" ON "execution"("revision", "at" DESC);

-- CreateIndex
CREATE INDEX "execution_outcome_xid_idx" ON "execution_outcome"("xid");

-- CreateIndex
CREATE INDEX "execution_outcome_status_at_idx" ON "execution_outcome"("status", "at" DESC);

-- CreateIndex
CREATE INDEX "execution_outcome_status_callAt_callId_idx" ON "execution_outcome"("status", "callAt" DESC, "callId" DESC);

-- CreateIndex
CREATE INDEX "execution_outcome_code_callAt_callId_idx" ON "execution_outcome"("code", "callAt" DESC, "callId" DESC);

-- CreateIndex
CREATE INDEX "execution_outcome_reason_callAt_callId_idx" ON "execution_outcome"("reason", "callAt" DESC, "callId" DESC);

-- CreateIndex
CREATE INDEX "import_job_source_createdAt_idx" ON "import_job"("source", "createdAt");

-- CreateIndex
CREATE INDEX "kept_call_endsAt_idx" ON "kept_call"("endsAt");

-- CreateIndex
CREATE INDEX "kept_call_instance_idx" ON "kept_call"("instance");

-- CreateIndex
CREATE UNIQUE INDEX "kept_call_principal_idempotencyKey_key" ON "kept_call"("principal", "idempotencyKey");

-- CreateIndex
CREATE INDEX "limit_window_endsAt_idx" ON "limit_window"("endsAt");

-- CreateIndex
CREATE INDEX "limit_lease_holder_idx" ON "limit_lease"("holder");

-- CreateIndex
CREATE INDEX "limit_lease_endsAt_idx" ON "limit_lease"("endsAt");

-- CreateIndex
CREATE INDEX "mcp_session_lastUsedAt_idx" ON "mcp_session"("lastUsedAt");

-- CreateIndex
CREATE INDEX "mcp_session_issuer_subject_idx" ON "mcp_session"("issuer", "subject");

-- CreateIndex
CREATE UNIQUE INDEX "person_name_key" ON "person"("name");

-- CreateIndex
CREATE INDEX "person_role_idx" ON "person"("role");

-- CreateIndex
CREATE INDEX "person_email_idx" ON "person"("email");

-- CreateIndex
CREATE UNIQUE INDEX "person_issuer_subject_key" ON "person"("issuer", "subject");

-- CreateIndex
CREATE INDEX "sign_in_attempt_account_at_idx" ON "sign_in_attempt"("account", "at");

-- CreateIndex
CREATE INDEX "sign_in_attempt_address_at_idx" ON "sign_in_attempt"("address", "at");

-- CreateIndex
CREATE INDEX "view_resource_owner_idx" ON "view"("resource", "owner");

-- CreateIndex
CREATE INDEX "log_archive_month_at_idx" ON "log_archive"("month", "at" DESC);

-- CreateIndex
CREATE INDEX "change_revision_id_idx" ON "change"("revision", "id");

-- CreateIndex
CREATE INDEX "change_resource_rowId_id_idx" ON "change"("resource", "rowId", "id" DESC);

-- CreateIndex
CREATE INDEX "change_at_id_idx" ON "change"("at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "change_action_id_idx" ON "change"("action", "id");

-- CreateIndex
CREATE INDEX "change_actor_id_idx" ON "change"("actor", "id");

-- CreateIndex
CREATE INDEX "change_action_at_id_idx" ON "change"("action", "at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "change_actor_at_id_idx" ON "change"("actor", "at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "change_rowId_at_id_idx" ON "change"("rowId", "at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "drift_acceptance_tool_idx" ON "drift_acceptance"("tool");

-- CreateIndex
CREATE INDEX "tool_group_updatedAt_name_idx" ON "tool_group"("updatedAt", "name");

-- CreateIndex
CREATE INDEX "policy_priority_name_idx" ON "policy"("priority" DESC, "name");

-- CreateIndex
CREATE INDEX "policy_updatedAt_name_idx" ON "policy"("updatedAt", "name");

-- CreateIndex
CREATE INDEX "seal_toXid_idx" ON "seal"("toXid");

-- CreateIndex
CREATE INDEX "log_export_at_id_idx" ON "log_export"("at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "agent_session_issuer_subject_createdAt_idx" ON "agent_session"("issuer", "subject", "createdAt" DESC);

-- CreateIndex
CREATE INDEX "agent_session_issuer_subject_expiresAt_idx" ON "agent_session"("issuer", "subject", "expiresAt" DESC);

-- CreateIndex
CREATE INDEX "agent_session_lastUsedAt_id_idx" ON "agent_session"("lastUsedAt" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "agent_session_createdAt_id_idx" ON "agent_session"("createdAt" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "agent_session_calls_id_idx" ON "agent_session"("calls" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "agent_session_agent_lastUsedAt_id_idx" ON "agent_session"("agent", "lastUsedAt" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "agent_session_issuer_lastUsedAt_id_idx" ON "agent_session"("issuer", "lastUsedAt" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "agent_session_state_lastUsedAt_id_idx" ON "agent_session"("state", "lastUsedAt" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "agent_session_escalated_lastUsedAt_id_idx" ON "agent_session"("escalated", "lastUsedAt" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "agent_session_expiresAt_idx" ON "agent_session"("expiresAt");

-- CreateIndex
CREATE INDEX "source_updatedAt_name_idx" ON "source"("updatedAt", "name");

-- CreateIndex
CREATE INDEX "tool_source_id_idx" ON "tool"("source", "id");

-- CreateIndex
CREATE INDEX "tool_name_id_idx" ON "tool"("name", "id");

-- CreateIndex
CREATE INDEX "tool_updatedAt_id_idx" ON "tool"("updatedAt", "id");

-- CreateIndex
CREATE INDEX "tool_createdAt_id_idx" ON "tool"("createdAt", "id");

-- CreateIndex
CREATE INDEX "tool_category_id_idx" ON "tool"("category", "id");

-- CreateIndex
CREATE INDEX "tool_method_id_idx" ON "tool"("method", "id");

-- CreateIndex
CREATE INDEX "tool_status_id_idx" ON "tool"("status", "id");

-- CreateIndex
CREATE INDEX "tool_enabled_id_idx" ON "tool"("enabled", "id");

-- CreateIndex
CREATE INDEX "tool_hasSideEffects_id_idx" ON "tool"("hasSideEffects", "id");

-- CreateIndex
CREATE INDEX "tool_requiresApproval_id_idx" ON "tool"("requiresApproval", "id");

-- CreateIndex
CREATE INDEX "tool_tags_idx" ON "tool" USING GIN ("tags");

-- CreateIndex
CREATE INDEX "tool_labels_idx" ON "tool" USING GIN ("labels");

-- CreateIndex
CREATE INDEX "tool_requiredCapabilities_idx" ON "tool" USING GIN ("requiredCapabilities");

-- CreateIndex
CREATE INDEX "tool_groups_idx" ON "tool" USING GIN ("groups");

-- AddForeignKey
ALTER TABLE "source_sync" ADD CONSTRAINT "source_sync_source_fkey" FOREIGN KEY ("source") REFERENCES "source"("name") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "delivery" ADD CONSTRAINT "delivery_webhook_fkey" FOREIGN KEY ("webhook") REFERENCES "webhook"("name") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "delivery" ADD CONSTRAINT "delivery_eventId_fkey" FOREIGN KEY ("eventId") REFERENCES "event"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "delivery_attempt" ADD CONSTRAINT "delivery_attempt_deliveryId_fkey" FOREIGN KEY ("deliveryId") REFERENCES "delivery"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "change" ADD CONSTRAINT "change_revision_fkey" FOREIGN KEY ("revision") REFERENCES "revision"("number") ON DELETE RESTRICT ON UPDATE CASCADE;

-- What the models cannot say.

-- ## Configuration

-- Writers lock this one row, and processes watch it.
INSERT INTO "config_state" ("id", "revision") VALUES (1, 0) ON CONFLICT DO NOTHING;
ALTER TABLE "config_state" ADD CONSTRAINT "config_state_one_row" CHECK ("id" = 1);

-- A GIN index does not hold tools that declare no groups. Those are the tools of the group `default`.
CREATE INDEX "tool_undeclared_idx" ON "tool" ("id") WHERE "groups" IS NULL;

-- ## People

-- A changed role, a changed password or a disabled account ends every session of that person
-- (lib/auth/people/user.ts compares the epoch).
CREATE FUNCTION end_sessions() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW."sessionEpoch" := greatest(NEW."sessionEpoch", OLD."sessionEpoch" + 1);
  RETURN NEW;
END $$;
CREATE TRIGGER "person_end_sessions" BEFORE UPDATE ON "person" FOR EACH ROW
  WHEN ((OLD."role", OLD."enabled", OLD."passwordHash") IS DISTINCT FROM (NEW."role", NEW."enabled", NEW."passwordHash"))
  EXECUTE FUNCTION end_sessions();

-- An e-mail address names one account only among people who sign in with a password. For people of an OpenID provider the
-- address is the provider's claim and proves nothing (docs/decisions/0009-openid-sign-in.md).
CREATE UNIQUE INDEX "person_password_email_key" ON "person"("email") WHERE "issuer" IS NULL;

-- A person signs in with a password or with OpenID Connect, never with both.
ALTER TABLE "person"
  ADD CONSTRAINT "person_identity_whole" CHECK (("issuer" IS NULL) = ("subject" IS NULL)),
  ADD CONSTRAINT "person_one_way_in" CHECK ("issuer" IS NULL OR "passwordHash" IS NULL);

-- Private views are deleted with their owner. Shared views stay; an admin may delete them.
CREATE FUNCTION forget_views() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM "view" WHERE "owner" = 'user:' || OLD."id" AND NOT "shared";
  RETURN NULL;
END $$;
CREATE TRIGGER forget_views AFTER DELETE ON "person" FOR EACH ROW EXECUTE FUNCTION forget_views();

-- ## Limits

-- Counts a call against every requested limit, or against none.
-- asked: [{"key", "kind": "window" | "lease", "cap", "seconds"}]. A window is aligned to multiples of its seconds
-- since 1970, so a day is a UTC day. A lease ends after its seconds.
-- Returns the full limits and when each has room again. No row means that the call was counted.
-- Callers that share a key wait for each other: locks are taken in one order, and each statement of this function sees
-- what was committed before it.
CREATE FUNCTION take_limits(asked jsonb, call text, "now" timestamptz)
RETURNS TABLE ("key" text, "endsAt" timestamptz) LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
  place bigint;
BEGIN
  FOR place IN SELECT DISTINCT hashtextextended(item ->> 'key', 0) AS hash FROM jsonb_array_elements(asked) item ORDER BY hash
  LOOP
    PERFORM pg_advisory_xact_lock(place);
  END LOOP;

  RETURN QUERY
    SELECT one."key", counted."endsAt"
    FROM jsonb_to_recordset(asked) AS one("key" text, "kind" text, "cap" int)
    JOIN limit_window counted ON counted."key" = one."key" AND counted."endsAt" > take_limits."now"
    WHERE one."kind" = 'window' AND counted."used" >= one."cap"
    UNION ALL
    SELECT one."key", min(held."endsAt")
    FROM jsonb_to_recordset(asked) AS one("key" text, "kind" text, "cap" int)
    JOIN limit_lease held ON held."key" = one."key" AND held."endsAt" > take_limits."now"
    WHERE one."kind" = 'lease'
    GROUP BY one."key", one."cap"
    HAVING count(*) >= one."cap";
  IF FOUND THEN
    RETURN;
  END IF;

  INSERT INTO limit_window ("key", "used", "endsAt")
    SELECT one."key", 1, to_timestamp((floor(extract(epoch FROM take_limits."now") / one."seconds") + 1) * one."seconds")
    FROM jsonb_to_recordset(asked) AS one("key" text, "kind" text, "seconds" int)
    WHERE one."kind" = 'window'
  ON CONFLICT ("key") DO UPDATE SET
    "used" = CASE WHEN limit_window."endsAt" > take_limits."now" THEN limit_window."used" + 1 ELSE 1 END,
    "endsAt" = CASE WHEN limit_window."endsAt" > take_limits."now" THEN limit_window."endsAt" ELSE EXCLUDED."endsAt" END;

  INSERT INTO limit_lease ("key", "holder", "endsAt")
    SELECT one."key", take_limits."call", take_limits."now" + make_interval(secs => one."seconds")
    FROM jsonb_to_recordset(asked) AS one("key" text, "kind" text, "seconds" int)
    WHERE one."kind" = 'lease'
  ON CONFLICT ("key", "holder") DO UPDATE SET "endsAt" = EXCLUDED."endsAt";
END $$;

-- ## Calls, sessions and deliveries

-- Deliveries that are due next: read every second, and few rows are pending.
CREATE INDEX "delivery_due_idx" ON "delivery" ("dueAt") WHERE "status" = 'pending';
-- Each metrics scrape reads how many calls wait, and since when. Most kept calls have ended.
CREATE INDEX "kept_call_queued_idx" ON "kept_call" ("at") WHERE "status" = 'queued';
-- Running calls.
CREATE INDEX "kept_call_open_idx" ON "kept_call" ("callId") WHERE "status" <> 'ended';
-- How many calls of a caller have not ended.
CREATE INDEX "kept_call_waiting_idx" ON "kept_call" ("principal") WHERE "later" AND "status" <> 'ended';
-- The bytes of one caller's sessions, summed without reading the rows.
CREATE INDEX "agent_session_bytes_idx" ON "agent_session" ("issuer", "subject") INCLUDE ("bytes");

-- ## The log: partitioned by the month of the call

-- Rows whose month has no partition go to the default partitions: a call runs only when its row is written.
CREATE TABLE "execution_other" PARTITION OF "execution" DEFAULT;
CREATE TABLE "execution_outcome_other" PARTITION OF "execution_outcome" DEFAULT;
CREATE TABLE "execution_body_other" PARTITION OF "execution_body" DEFAULT;

-- Scripts make few calls.
CREATE INDEX "execution_parent_idx" ON "execution" ("parent") WHERE "parent" IS NOT NULL;
-- The calls of one trace, newest first. Most installations do not trace.
CREATE INDEX "execution_traceId_at_idx" ON "execution" ("traceId", "at" DESC) WHERE "traceId" IS NOT NULL;
-- The filter by tool also finds calls whose requested name is no tool.
CREATE INDEX "execution_asked_at_idx" ON "execution"("asked", "at" DESC) WHERE "toolId" IS NULL;

-- The log is append-only for every user, the application's role included.
CREATE FUNCTION refuse_log_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'the log is append-only: % on % is refused', TG_OP, TG_TABLE_NAME USING ERRCODE = 'insufficient_privilege';
END $$;

-- Creates the three tables of a month, unless they exist. Returns false when the default partitions already hold rows of
-- the month, or while somebody reads those. Attaching, unlike CREATE … PARTITION OF, does not block calls.
CREATE FUNCTION add_log_month(month date) RETURNS boolean LANGUAGE plpgsql
  SECURITY DEFINER SET search_path FROM CURRENT SET lock_timeout = '500ms' SET timezone = 'UTC' AS $$
DECLARE
  parent text;
  part text;
  first timestamptz := date_trunc('month', month);
BEGIN
  FOREACH parent IN ARRAY ARRAY['execution', 'execution_outcome', 'execution_body'] LOOP
    part := parent || to_char(first, '_YYYY_MM');
    CONTINUE WHEN to_regclass(quote_ident(part)) IS NOT NULL;
    EXECUTE format('CREATE TABLE %I (LIKE %I INCLUDING DEFAULTS)', part, parent);
    EXECUTE format('ALTER TABLE %I ATTACH PARTITION %I FOR VALUES FROM (%L) TO (%L)', parent, part, first, first + interval '1 month');
    EXECUTE format('CREATE TRIGGER never_truncated BEFORE TRUNCATE ON %I FOR EACH STATEMENT EXECUTE FUNCTION refuse_log_change()', part);
    IF EXISTS (SELECT FROM pg_roles WHERE rolname = 'quartermaster_app') THEN
      EXECUTE format('REVOKE ALL ON %I FROM quartermaster_app', part);
    END IF;
  END LOOP;
  RETURN true;
EXCEPTION WHEN check_violation OR lock_not_available OR duplicate_table THEN
  RETURN false;
END $$;

-- Creates the partitions of this month and the next two. Called at each start and each hour.
CREATE FUNCTION prepare_log_months() RETURNS boolean LANGUAGE sql SECURITY DEFINER SET search_path FROM CURRENT AS $$
  SELECT bool_and(add_log_month((now() AT TIME ZONE 'UTC' + make_interval(months => ahead))::date)) FROM generate_series(0, 2) ahead
$$;
SELECT prepare_log_months();

-- Append-only by trigger too: for installations without the role, and against mistakes of the owner. Partitions inherit the
-- row triggers of their parent; add_log_month creates the trigger that refuses TRUNCATE of a month.
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE ON "execution" FOR EACH ROW EXECUTE FUNCTION refuse_log_change();
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE ON "execution_outcome" FOR EACH ROW EXECUTE FUNCTION refuse_log_change();
-- A body may be erased, never changed.
CREATE TRIGGER append_only BEFORE UPDATE ON "execution_body" FOR EACH ROW EXECUTE FUNCTION refuse_log_change();
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE ON "seal" FOR EACH ROW EXECUTE FUNCTION refuse_log_change();
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE ON "seal_leaves" FOR EACH ROW EXECUTE FUNCTION refuse_log_change();
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE ON "seal_key" FOR EACH ROW EXECUTE FUNCTION refuse_log_change();
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE ON "log_export" FOR EACH ROW EXECUTE FUNCTION refuse_log_change();
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE ON "log_erasure" FOR EACH ROW EXECUTE FUNCTION refuse_log_change();
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE ON "log_archive" FOR EACH ROW EXECUTE FUNCTION refuse_log_change();
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE ON "log_drop" FOR EACH ROW EXECUTE FUNCTION refuse_log_change();
CREATE TRIGGER audit_event_append_only BEFORE UPDATE OR DELETE ON "audit_event" FOR EACH ROW EXECUTE FUNCTION refuse_log_change();
CREATE TRIGGER never_truncated BEFORE TRUNCATE ON "execution" FOR EACH STATEMENT EXECUTE FUNCTION refuse_log_change();
CREATE TRIGGER never_truncated BEFORE TRUNCATE ON "execution_outcome" FOR EACH STATEMENT EXECUTE FUNCTION refuse_log_change();
CREATE TRIGGER never_truncated BEFORE TRUNCATE ON "execution_body" FOR EACH STATEMENT EXECUTE FUNCTION refuse_log_change();
CREATE TRIGGER never_truncated BEFORE TRUNCATE ON "execution_other" FOR EACH STATEMENT EXECUTE FUNCTION refuse_log_change();
CREATE TRIGGER never_truncated BEFORE TRUNCATE ON "execution_outcome_other" FOR EACH STATEMENT EXECUTE FUNCTION refuse_log_change();
CREATE TRIGGER never_truncated BEFORE TRUNCATE ON "execution_body_other" FOR EACH STATEMENT EXECUTE FUNCTION refuse_log_change();
CREATE TRIGGER never_truncated BEFORE TRUNCATE ON "audit_event" FOR EACH STATEMENT EXECUTE FUNCTION refuse_log_change();
CREATE TRIGGER never_truncated BEFORE TRUNCATE ON "seal" FOR EACH STATEMENT EXECUTE FUNCTION refuse_log_change();
CREATE TRIGGER never_truncated BEFORE TRUNCATE ON "seal_leaves" FOR EACH STATEMENT EXECUTE FUNCTION refuse_log_change();
CREATE TRIGGER never_truncated BEFORE TRUNCATE ON "seal_key" FOR EACH STATEMENT EXECUTE FUNCTION refuse_log_change();
CREATE TRIGGER never_truncated BEFORE TRUNCATE ON "log_export" FOR EACH STATEMENT EXECUTE FUNCTION refuse_log_change();
CREATE TRIGGER never_truncated BEFORE TRUNCATE ON "log_erasure" FOR EACH STATEMENT EXECUTE FUNCTION refuse_log_change();
CREATE TRIGGER never_truncated BEFORE TRUNCATE ON "log_archive" FOR EACH STATEMENT EXECUTE FUNCTION refuse_log_change();
CREATE TRIGGER never_truncated BEFORE TRUNCATE ON "log_drop" FOR EACH STATEMENT EXECUTE FUNCTION refuse_log_change();

-- Moves a row that states no "callAt" to the partition of its call.
CREATE FUNCTION place_beside_call() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW."callAt" := COALESCE((SELECT "at" FROM execution WHERE "callId" = NEW."callId"), '-infinity');
  IF NEW."callAt" = '-infinity' THEN
    RETURN NEW;
  END IF;
  EXECUTE format('INSERT INTO %I SELECT ($1).*', TG_ARGV[0]) USING NEW;
  RETURN NULL;
END $$;
CREATE TRIGGER placed BEFORE INSERT ON "execution_outcome_other" FOR EACH ROW WHEN (NEW."callAt" = '-infinity')
  EXECUTE FUNCTION place_beside_call('execution_outcome');
CREATE TRIGGER placed BEFORE INSERT ON "execution_body_other" FOR EACH ROW WHEN (NEW."callAt" = '-infinity')
  EXECUTE FUNCTION place_beside_call('execution_body');

-- ## Erasure and retention

-- The only way to delete the bodies of one call: each deletion writes who erased them. Their commitments stay, so every seal
-- remains valid.
CREATE FUNCTION erase_log_bodies(call text, actor_kind text, actor_name text, actor_role text, request text) RETURNS integer
  LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
DECLARE
  erased integer;
BEGIN
  DELETE FROM execution_body WHERE "callId" = call;
  GET DIAGNOSTICS erased = ROW_COUNT;
  IF erased > 0 THEN
    INSERT INTO audit_event ("at", "kind", "actor", "role", "action", "target", "requestId")
    VALUES (now(), actor_kind, actor_name, actor_role, 'executions.erased', call, request);
  END IF;
  RETURN erased;
END $$;

-- Deletes the bodies of many calls: of a caller by issuer and subject, of an agent, or (neither given) of everyone, for calls
-- that began in a period. Each call gets a row that says who erased it.
CREATE FUNCTION erase_bodies_of(
  of_issuer text, of_subject text, of_agent text, since timestamptz, until timestamptz,
  actor_kind text, actor_name text, actor_role text, request text, OUT calls integer, OUT bodies integer
) LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
BEGIN
  IF until IS NULL OR (of_issuer IS NULL) <> (of_subject IS NULL) OR (of_subject IS NOT NULL AND of_agent IS NOT NULL) THEN
    RAISE EXCEPTION 'say whose bodies are erased, and up to when' USING ERRCODE = 'invalid_parameter_value';
  END IF;
  WITH gone AS (
    DELETE FROM execution_body body USING execution call
    WHERE body."callId" = call."callId" AND body."callAt" = call."at"
      AND (of_subject IS NULL OR (call."subject" = of_subject AND call."issuer" = of_issuer))
      AND (of_agent IS NULL OR call."agent" = of_agent)
      AND (since IS NULL OR call."at" >= since) AND call."at" < until
    RETURNING body."callId"
  ), said AS (
    INSERT INTO audit_event ("at", "kind", "actor", "role", "action", "target", "requestId")
    SELECT DISTINCT now(), actor_kind, actor_name, actor_role, 'executions.erased', "callId", request FROM gone
  )
  SELECT count(DISTINCT "callId"), count(*) INTO calls, bodies FROM gone;
END $$;

-- The only way to delete rows of the log: a whole past month for which an archive claims every row. Seals and their leaves
-- stay. A user who cannot sign a log_drop row can call this function; the next verification then reports it.
CREATE FUNCTION drop_log_month(gone text, kept_in text) RETURNS void LANGUAGE plpgsql
  SECURITY DEFINER SET search_path FROM CURRENT SET lock_timeout = '500ms' SET timezone = 'UTC' AS $$
DECLARE
  first timestamptz := to_date(gone, 'YYYY-MM');
  suffix text := to_char(to_date(gone, 'YYYY-MM'), '_YYYY_MM');
  archived integer;
  present integer;
  unsealed boolean;
BEGIN
  IF first + interval '1 month' > now() - interval '1 day' THEN
    RAISE EXCEPTION 'the month % is not over for a day', gone USING ERRCODE = 'invalid_parameter_value';
  END IF;
  SELECT "rows" INTO archived FROM log_archive WHERE "id" = kept_in AND "month" = gone;
  IF archived IS NULL OR to_regclass(quote_ident('execution' || suffix)) IS NULL THEN
    RAISE EXCEPTION 'the month % has no tables, or no archive %', gone, kept_in USING ERRCODE = 'invalid_parameter_value';
  END IF;
  -- Nothing more is written to it while it is counted.
  EXECUTE format('LOCK TABLE %I, %I IN SHARE MODE', 'execution' || suffix, 'execution_outcome' || suffix);
  EXECUTE format(
    'SELECT (SELECT count(*) FROM %1$I) + (SELECT count(*) FROM %2$I),
       EXISTS (SELECT FROM %1$I WHERE xid >= (SELECT COALESCE(max("toXid"), 0) FROM seal)::text::xid8)
       OR EXISTS (SELECT FROM %2$I WHERE xid >= (SELECT COALESCE(max("toXid"), 0) FROM seal)::text::xid8)',
    'execution' || suffix, 'execution_outcome' || suffix) INTO present, unsealed;
  IF unsealed OR present <> archived THEN
    RAISE EXCEPTION 'the month % has rows that its archive does not have', gone USING ERRCODE = 'invalid_parameter_value';
  END IF;
  LOCK TABLE execution, execution_outcome, execution_body IN ACCESS EXCLUSIVE MODE;
  EXECUTE format('DROP TABLE %I, %I, %I', 'execution' || suffix, 'execution_outcome' || suffix, 'execution_body' || suffix);
END $$;

-- ## The application's role

-- Creates the role that the app works under (docs/decisions/0028-sealed-log.md). A user who may not create roles gets none, and
-- the triggers above remain. Run `SELECT grant_app_role()` again after somebody else has created the role.
CREATE FUNCTION grant_app_role() RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
  BEGIN
    IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'quartermaster_app') THEN
      CREATE ROLE quartermaster_app NOLOGIN;
    END IF;
  EXCEPTION WHEN duplicate_object OR unique_violation THEN
    NULL; -- another installation of this server made it just now
  END;
  EXECUTE format('GRANT quartermaster_app TO %I', current_user);
  EXECUTE format('GRANT USAGE ON SCHEMA %I TO quartermaster_app', current_schema);
  EXECUTE format('GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA %I TO quartermaster_app', current_schema);
  EXECUTE format('GRANT USAGE, SELECT, UPDATE ON ALL SEQUENCES IN SCHEMA %I TO quartermaster_app', current_schema);
  -- What later migrations and the queue make.
  ALTER DEFAULT PRIVILEGES GRANT SELECT, INSERT, UPDATE, DELETE ON TABLES TO quartermaster_app;
  ALTER DEFAULT PRIVILEGES GRANT USAGE, SELECT, UPDATE ON SEQUENCES TO quartermaster_app;
  ALTER DEFAULT PRIVILEGES GRANT USAGE ON SCHEMAS TO quartermaster_app;
  IF to_regnamespace('pgboss') IS NOT NULL THEN
    GRANT USAGE ON SCHEMA pgboss TO quartermaster_app;
    GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA pgboss TO quartermaster_app;
  END IF;
  PERFORM limit_app_role();
  RETURN true;
EXCEPTION WHEN insufficient_privilege THEN
  RAISE WARNING 'The role quartermaster_app could not be set up (%): the log is append-only by trigger alone.', SQLERRM;
  RETURN false;
END $$;

-- Takes from the role what it may not do: change rows of the log, and reach a single month of it.
CREATE FUNCTION limit_app_role() RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  part regclass;
BEGIN
  REVOKE UPDATE, DELETE ON execution, execution_outcome, execution_body, audit_event, seal, seal_leaves, seal_key
    FROM quartermaster_app;
  REVOKE INSERT, UPDATE, DELETE ON _prisma_migrations FROM quartermaster_app;
  FOR part IN
    SELECT inhrelid::regclass FROM pg_inherits
    WHERE inhparent IN ('execution'::regclass, 'execution_outcome'::regclass, 'execution_body'::regclass)
  LOOP
    EXECUTE format('REVOKE ALL ON %s FROM quartermaster_app', part);
  END LOOP;
END $$;

REVOKE EXECUTE ON FUNCTION add_log_month(date), grant_app_role(), limit_app_role() FROM PUBLIC;
SELECT grant_app_role();
DO $$
BEGIN
  IF EXISTS (SELECT FROM pg_roles WHERE rolname = 'quartermaster_app') THEN
    REVOKE UPDATE, DELETE ON "log_export", "log_erasure", "log_archive", "log_drop" FROM quartermaster_app;
  END IF;
END $$;

-- A user who may create temporary tables must not put one in the place of a table that these functions use.
DO $$
DECLARE
  one regprocedure;
BEGIN
  FOR one IN SELECT oid::regprocedure FROM pg_proc WHERE prosecdef AND pronamespace = current_schema::regnamespace LOOP
    EXECUTE format('ALTER FUNCTION %s SET search_path = %I, pg_temp', one, current_schema);
  END LOOP;
END $$;
