-- The log, partitioned by the month of the call, sealed, and written under a role that may only insert and select.
-- Prisma knows nothing of partitions, roles and functions: this migration is written by hand, and leads to what the
-- models say. Rows of before keep the transaction that wrote them.

ALTER TABLE "execution" RENAME TO "execution_before";
ALTER TABLE "execution_outcome" RENAME TO "execution_outcome_before";
ALTER TABLE "execution_body" RENAME TO "execution_body_before";

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
    "xid" xid8 NOT NULL DEFAULT pg_current_xact_id()
) PARTITION BY RANGE ("at");

CREATE TABLE "execution_outcome" (
    "callId" TEXT NOT NULL,
    "callAt" TIMESTAMPTZ(3) NOT NULL DEFAULT '-infinity',
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
    "xid" xid8 NOT NULL DEFAULT pg_current_xact_id()
) PARTITION BY RANGE ("callAt");

CREATE TABLE "execution_body" (
    "callId" TEXT NOT NULL,
    "callAt" TIMESTAMPTZ(3) NOT NULL DEFAULT '-infinity',
    "part" TEXT NOT NULL,
    "text" TEXT NOT NULL,
    "digest" TEXT NOT NULL,
    "sha256" TEXT,
    "bytes" INTEGER,
    "key" BYTEA
) PARTITION BY RANGE ("callAt");

-- A row that no month is there for is kept all the same: no row, no run.
CREATE TABLE "execution_other" PARTITION OF "execution" DEFAULT;
CREATE TABLE "execution_outcome_other" PARTITION OF "execution_outcome" DEFAULT;
CREATE TABLE "execution_body_other" PARTITION OF "execution_body" DEFAULT;

-- The role that the app works under (docs/decisions). Who may not make roles gets none, and the triggers below remain.
-- The same again later, once somebody who may has made it: SELECT grant_app_role().
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

-- What the role may not do: everything but adding to the log, everything at all with one month of it.
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

-- Makes the three tables of a month, unless they are there; false when its rows began to be kept in the default ones,
-- or when somebody reads those just now. Attaching, unlike CREATE … PARTITION OF, lets calls go on.
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

-- This month and the next two. Called at each start and each hour, so no month begins without its tables.
CREATE FUNCTION prepare_log_months() RETURNS boolean LANGUAGE sql SECURITY DEFINER SET search_path FROM CURRENT AS $$
  SELECT bool_and(add_log_month((now() AT TIME ZONE 'UTC' + make_interval(months => ahead))::date)) FROM generate_series(0, 2) ahead
$$;

-- The months that have rows, and those to come; then the rows, each with the transaction that wrote it.
DO $$
DECLARE
  month timestamp;
BEGIN
  FOR month IN SELECT DISTINCT date_trunc('month', "at" AT TIME ZONE 'UTC') FROM execution_before WHERE isfinite("at") LOOP
    PERFORM add_log_month(month::date);
  END LOOP;
  PERFORM prepare_log_months();
END $$;

-- A row knows the last 32 bits of its transaction (xmin): all that were written are of before now.
CREATE FUNCTION pg_temp.written_by(xmin xid) RETURNS xid8 LANGUAGE sql AS $$
  SELECT greatest(3, CASE WHEN whole > present THEN whole - (1::bigint << 32) ELSE whole END)::text::xid8
  FROM (SELECT present, (present >> 32 << 32) + xmin::text::bigint AS whole
        FROM (SELECT pg_current_xact_id()::text::bigint AS present) p) w
$$;

INSERT INTO "execution" SELECT "callId", "instance", "requestId", "at", "door", "issuer", "subject", "agent", "claimsDigest",
  "toolId", "source", "asked", "definitionHash", "policies", "groups", "revision", "session", "stateBefore", "mode",
  "request", "argumentsDigest", "parent", "traceId", NULL, pg_temp.written_by(xmin)
FROM "execution_before";
INSERT INTO "execution_outcome" SELECT outcome."callId", intent."at", outcome."at", "status", "code", "reason", "error",
  "stateAfter", "attempts", "gatewayMs", "upstreamMs", "empty", NULL, pg_temp.written_by(outcome.xmin)
FROM "execution_outcome_before" outcome JOIN "execution_before" intent ON intent."callId" = outcome."callId";
INSERT INTO "execution_body" SELECT body."callId", intent."at", "part", "text", "digest", "sha256", "bytes", NULL
FROM "execution_body_before" body JOIN "execution_before" intent ON intent."callId" = body."callId";

DROP TABLE "execution_body_before", "execution_outcome_before", "execution_before";

ALTER TABLE "execution" ADD CONSTRAINT "execution_pkey" PRIMARY KEY ("callId", "at");
ALTER TABLE "execution_outcome" ADD CONSTRAINT "execution_outcome_pkey" PRIMARY KEY ("callId", "callAt");
ALTER TABLE "execution_body" ADD CONSTRAINT "execution_body_pkey" PRIMARY KEY ("callId", "part", "callAt");

-- CreateIndex
CREATE INDEX "execution_xid_idx" ON "execution"("xid");
CREATE INDEX "execution_at_callId_idx" ON "execution"("at" DESC, "callId" DESC);
CREATE INDEX "execution_agent_at_idx" ON "execution"("agent", "at" DESC);
CREATE INDEX "execution_subject_at_idx" ON "execution"("subject", "at" DESC);
CREATE INDEX "execution_toolId_at_idx" ON "execution"("toolId", "at" DESC);
CREATE INDEX "execution_source_at_idx" ON "execution"("source", "at" DESC);
CREATE INDEX "execution_session_at_idx" ON "execution"("session", "at" DESC);
CREATE INDEX "execution_groups_idx" ON "execution" USING GIN ("groups");
CREATE INDEX "execution_parent_idx" ON "execution" ("parent") WHERE "parent" IS NOT NULL;
CREATE INDEX "execution_outcome_xid_idx" ON "execution_outcome"("xid");
CREATE INDEX "execution_outcome_status_at_idx" ON "execution_outcome"("status", "at" DESC);
CREATE INDEX "execution_outcome_code_at_idx" ON "execution_outcome"("code", "at" DESC);
CREATE INDEX "execution_outcome_reason_at_idx" ON "execution_outcome"("reason", "at" DESC);

-- Append-only by trigger too: where there is no role of its own, and against the owner's mistakes. Row triggers of a
-- partitioned table are those of its partitions; a month's own TRUNCATE is refused by add_log_month's.
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE ON "execution" FOR EACH ROW EXECUTE FUNCTION refuse_log_change();
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE ON "execution_outcome" FOR EACH ROW EXECUTE FUNCTION refuse_log_change();
-- A body may be erased, never altered.
CREATE TRIGGER append_only BEFORE UPDATE ON "execution_body" FOR EACH ROW EXECUTE FUNCTION refuse_log_change();
CREATE TRIGGER never_truncated BEFORE TRUNCATE ON "execution" FOR EACH STATEMENT EXECUTE FUNCTION refuse_log_change();
CREATE TRIGGER never_truncated BEFORE TRUNCATE ON "execution_outcome" FOR EACH STATEMENT EXECUTE FUNCTION refuse_log_change();
CREATE TRIGGER never_truncated BEFORE TRUNCATE ON "execution_body" FOR EACH STATEMENT EXECUTE FUNCTION refuse_log_change();
CREATE TRIGGER never_truncated BEFORE TRUNCATE ON "execution_other" FOR EACH STATEMENT EXECUTE FUNCTION refuse_log_change();
CREATE TRIGGER never_truncated BEFORE TRUNCATE ON "execution_outcome_other" FOR EACH STATEMENT EXECUTE FUNCTION refuse_log_change();
CREATE TRIGGER never_truncated BEFORE TRUNCATE ON "execution_body_other" FOR EACH STATEMENT EXECUTE FUNCTION refuse_log_change();

-- An app of before this migration states no "callAt": its rows are put where their call is. To be dropped in a later release.
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

-- Seals.
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

    CONSTRAINT "seal_pkey" PRIMARY KEY ("number")
);
CREATE TABLE "seal_leaves" (
    "number" INTEGER NOT NULL,
    "records" TEXT[],
    "hashes" BYTEA NOT NULL,

    CONSTRAINT "seal_leaves_pkey" PRIMARY KEY ("number")
);
CREATE TABLE "seal_key" (
    "keyId" TEXT NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "x" TEXT NOT NULL,
    "vouchedBy" TEXT NOT NULL,
    "signature" TEXT NOT NULL,

    CONSTRAINT "seal_key_pkey" PRIMARY KEY ("keyId")
);
-- The seal that covers a transaction.
CREATE INDEX "seal_toXid_idx" ON "seal"("toXid");

CREATE TRIGGER append_only BEFORE UPDATE OR DELETE ON "seal" FOR EACH ROW EXECUTE FUNCTION refuse_log_change();
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE ON "seal_leaves" FOR EACH ROW EXECUTE FUNCTION refuse_log_change();
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE ON "seal_key" FOR EACH ROW EXECUTE FUNCTION refuse_log_change();
CREATE TRIGGER never_truncated BEFORE TRUNCATE ON "seal" FOR EACH STATEMENT EXECUTE FUNCTION refuse_log_change();
CREATE TRIGGER never_truncated BEFORE TRUNCATE ON "seal_leaves" FOR EACH STATEMENT EXECUTE FUNCTION refuse_log_change();
CREATE TRIGGER never_truncated BEFORE TRUNCATE ON "seal_key" FOR EACH STATEMENT EXECUTE FUNCTION refuse_log_change();

-- The one way in which a body goes: with a row that says who erased it. Its commitment stays, so every seal does.
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

REVOKE EXECUTE ON FUNCTION add_log_month(date), grant_app_role(), limit_app_role() FROM PUBLIC;
SELECT grant_app_role();
