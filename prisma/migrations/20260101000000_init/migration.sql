-- CreateSchema
CREATE SCHEMA IF NOT EXISTS "public";

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

    CONSTRAINT "audit_event_pkey" PRIMARY KEY ("id")
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
    "stateHeldByServer" BOOLEAN NOT NULL DEFAULT false,
    "limits" JSONB NOT NULL,
    "revision" INTEGER NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL,
    "updatedAt" TIMESTAMPTZ(3) NOT NULL,

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

    CONSTRAINT "token_pkey" PRIMARY KEY ("name")
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

    CONSTRAINT "execution_pkey" PRIMARY KEY ("callId")
);

-- CreateTable
CREATE TABLE "execution_outcome" (
    "callId" TEXT NOT NULL,
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

    CONSTRAINT "execution_outcome_pkey" PRIMARY KEY ("callId")
);

-- CreateTable
CREATE TABLE "execution_body" (
    "callId" TEXT NOT NULL,
    "part" TEXT NOT NULL,
    "text" TEXT NOT NULL,
    "digest" TEXT NOT NULL,
    "sha256" TEXT,
    "bytes" INTEGER,

    CONSTRAINT "execution_body_pkey" PRIMARY KEY ("callId","part")
);

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
    "tools" JSONB NOT NULL,
    "plan" JSONB NOT NULL,
    "warnings" JSONB NOT NULL,
    "error" TEXT,
    "createdBy" TEXT NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "import_job_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "upstream_definition" (
    "tool" TEXT NOT NULL,
    "definition" JSONB NOT NULL,

    CONSTRAINT "upstream_definition_pkey" PRIMARY KEY ("tool")
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
CREATE TABLE "view" (
    "name" TEXT NOT NULL,
    "resource" TEXT NOT NULL,
    "owner" TEXT NOT NULL,
    "shared" BOOLEAN NOT NULL DEFAULT false,
    "query" JSONB NOT NULL,
    "revision" INTEGER NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL,
    "updatedAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "view_pkey" PRIMARY KEY ("name")
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

    CONSTRAINT "source_pkey" PRIMARY KEY ("name")
);

-- CreateTable
CREATE TABLE "secret" (
    "name" TEXT NOT NULL,
    "keyId" TEXT NOT NULL,
    "nonce" BYTEA NOT NULL,
    "ciphertext" BYTEA NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL,
    "updatedAt" TIMESTAMPTZ(3) NOT NULL,

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

    CONSTRAINT "tool_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "audit_event_at_id_idx" ON "audit_event"("at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "audit_event_target_id_idx" ON "audit_event"("target", "id" DESC);

-- CreateIndex
CREATE UNIQUE INDEX "issuer_issuer_key" ON "issuer"("issuer");

-- CreateIndex
CREATE INDEX "agent_updatedAt_name_idx" ON "agent"("updatedAt", "name");

-- CreateIndex
CREATE UNIQUE INDEX "agent_issuer_subject_key" ON "agent"("issuer", "subject");

-- CreateIndex
CREATE UNIQUE INDEX "api_key_keyId_key" ON "api_key"("keyId");

-- CreateIndex
CREATE INDEX "api_key_agent_name_idx" ON "api_key"("agent", "name");

-- CreateIndex
CREATE UNIQUE INDEX "token_hash_key" ON "token"("hash");

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
CREATE INDEX "execution_outcome_status_at_idx" ON "execution_outcome"("status", "at" DESC);

-- CreateIndex
CREATE INDEX "execution_outcome_code_at_idx" ON "execution_outcome"("code", "at" DESC);

-- CreateIndex
CREATE INDEX "execution_outcome_reason_at_idx" ON "execution_outcome"("reason", "at" DESC);

-- CreateIndex
CREATE INDEX "import_job_source_createdAt_idx" ON "import_job"("source", "createdAt");

-- CreateIndex
CREATE UNIQUE INDEX "person_name_key" ON "person"("name");

-- CreateIndex
CREATE UNIQUE INDEX "person_email_key" ON "person"("email");

-- CreateIndex
CREATE INDEX "person_role_idx" ON "person"("role");

-- CreateIndex
CREATE INDEX "sign_in_attempt_account_at_idx" ON "sign_in_attempt"("account", "at");

-- CreateIndex
CREATE INDEX "sign_in_attempt_address_at_idx" ON "sign_in_attempt"("address", "at");

-- CreateIndex
CREATE INDEX "view_resource_owner_idx" ON "view"("resource", "owner");

-- CreateIndex
CREATE INDEX "change_revision_id_idx" ON "change"("revision", "id");

-- CreateIndex
CREATE INDEX "change_resource_rowId_id_idx" ON "change"("resource", "rowId", "id" DESC);

-- CreateIndex
CREATE INDEX "change_at_id_idx" ON "change"("at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "drift_acceptance_tool_idx" ON "drift_acceptance"("tool");

-- CreateIndex
CREATE INDEX "tool_group_updatedAt_name_idx" ON "tool_group"("updatedAt", "name");

-- CreateIndex
CREATE INDEX "policy_priority_name_idx" ON "policy"("priority" DESC, "name");

-- CreateIndex
CREATE INDEX "policy_updatedAt_name_idx" ON "policy"("updatedAt", "name");

-- CreateIndex
CREATE INDEX "agent_session_issuer_subject_createdAt_idx" ON "agent_session"("issuer", "subject", "createdAt" DESC);

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
CREATE INDEX "tool_tags_idx" ON "tool" USING GIN ("tags");

-- AddForeignKey
ALTER TABLE "execution_outcome" ADD CONSTRAINT "execution_outcome_callId_fkey" FOREIGN KEY ("callId") REFERENCES "execution"("callId") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "execution_body" ADD CONSTRAINT "execution_body_callId_fkey" FOREIGN KEY ("callId") REFERENCES "execution"("callId") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "change" ADD CONSTRAINT "change_revision_fkey" FOREIGN KEY ("revision") REFERENCES "revision"("number") ON DELETE RESTRICT ON UPDATE CASCADE;

-- prisma/sql/configuration.sql
-- The one row that writers lock and instances watch.
INSERT INTO "config_state" ("id", "revision") VALUES (1, 0) ON CONFLICT DO NOTHING;
ALTER TABLE "config_state" ADD CONSTRAINT "config_state_one_row" CHECK ("id" = 1);

-- prisma/sql/execution.sql
-- The log is append-only, whoever asks: the application's role included.
CREATE FUNCTION refuse_log_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'the log is append-only: % on % is refused', TG_OP, TG_TABLE_NAME USING ERRCODE = 'insufficient_privilege';
END $$;

CREATE TRIGGER execution_append_only BEFORE UPDATE OR DELETE ON execution
  FOR EACH ROW EXECUTE FUNCTION refuse_log_change();
CREATE TRIGGER execution_never_truncated BEFORE TRUNCATE ON execution
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_log_change();
CREATE TRIGGER execution_outcome_append_only BEFORE UPDATE OR DELETE ON execution_outcome
  FOR EACH ROW EXECUTE FUNCTION refuse_log_change();
CREATE TRIGGER execution_outcome_never_truncated BEFORE TRUNCATE ON execution_outcome
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_log_change();

-- prisma/sql/opened-log.sql
-- Who opened the log's bodies is as append-only as the log itself (the function is in execution.sql).
CREATE TRIGGER audit_event_append_only BEFORE UPDATE OR DELETE ON audit_event
  FOR EACH ROW EXECUTE FUNCTION refuse_log_change();

-- prisma/sql/people.sql
-- A session never outlives what it was given for, whoever changes the row: another role, another password
-- or a switched-off user ends every session given out before (lib/auth/people/user.ts compares the epoch).
CREATE FUNCTION end_sessions() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW."sessionEpoch" := greatest(NEW."sessionEpoch", OLD."sessionEpoch" + 1);
  RETURN NEW;
END $$;
CREATE TRIGGER "person_end_sessions" BEFORE UPDATE ON "person" FOR EACH ROW
  WHEN ((OLD."role", OLD."enabled", OLD."passwordHash") IS DISTINCT FROM (NEW."role", NEW."enabled", NEW."passwordHash"))
  EXECUTE FUNCTION end_sessions();
