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

-- CreateIndex
CREATE INDEX "log_archive_month_at_idx" ON "log_archive"("month", "at" DESC);

-- As append-only as the log: see sealed_log. What is under way is changed.
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE ON "log_erasure" FOR EACH ROW EXECUTE FUNCTION refuse_log_change();
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE ON "log_archive" FOR EACH ROW EXECUTE FUNCTION refuse_log_change();
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE ON "log_drop" FOR EACH ROW EXECUTE FUNCTION refuse_log_change();
CREATE TRIGGER never_truncated BEFORE TRUNCATE ON "log_erasure" FOR EACH STATEMENT EXECUTE FUNCTION refuse_log_change();
CREATE TRIGGER never_truncated BEFORE TRUNCATE ON "log_archive" FOR EACH STATEMENT EXECUTE FUNCTION refuse_log_change();
CREATE TRIGGER never_truncated BEFORE TRUNCATE ON "log_drop" FOR EACH STATEMENT EXECUTE FUNCTION refuse_log_change();
DO $$
BEGIN
  IF EXISTS (SELECT FROM pg_roles WHERE rolname = 'quartermaster_app') THEN
    REVOKE UPDATE, DELETE ON "log_erasure", "log_archive", "log_drop" FROM quartermaster_app;
  END IF;
END $$;

-- Bodies of many calls at once, each with its row that says who erased it: of a caller by issuer and subject, of an
-- agent, or (neither stated) of everyone; of calls that began in a time. Every commitment stays, so every seal does.
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

-- The one way in which rows go: a whole month that is over, of which an archive says that it has every row. Seals and
-- their lists stay. Whoever may not sign what log_drop says can call this, and is found by the next verification.
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

-- Whoever may make temporary tables must not put one of its own in the place of ours.
DO $$
DECLARE
  one regprocedure;
BEGIN
  FOR one IN SELECT oid::regprocedure FROM pg_proc WHERE prosecdef AND pronamespace = current_schema::regnamespace LOOP
    EXECUTE format('ALTER FUNCTION %s SET search_path = %I, pg_temp', one, current_schema);
  END LOOP;
END $$;
