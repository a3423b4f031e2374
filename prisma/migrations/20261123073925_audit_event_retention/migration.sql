-- AlterTable
ALTER TABLE "log_archive" ADD COLUMN     "events" INTEGER;

-- Audit events go with their month. Only drop_log_month may delete them, and only those of the month that it drops.
CREATE FUNCTION refuse_audit_event_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' AND to_char(OLD."at" AT TIME ZONE 'UTC', 'YYYY-MM') = current_setting('quartermaster.dropped_month', true) THEN
    RETURN OLD;
  END IF;
  RAISE EXCEPTION 'the log is append-only: % on % is refused', TG_OP, TG_TABLE_NAME USING ERRCODE = 'insufficient_privilege';
END $$;
CREATE OR REPLACE TRIGGER audit_event_append_only BEFORE UPDATE OR DELETE ON audit_event
  FOR EACH ROW EXECUTE FUNCTION refuse_audit_event_change();

-- An archive with `events` has the month's audit events among its rows. An older app's archive has none, and drops none.
CREATE OR REPLACE FUNCTION drop_log_month(gone text, kept_in text) RETURNS void LANGUAGE plpgsql
  SECURITY DEFINER SET search_path FROM CURRENT SET lock_timeout = '500ms' SET timezone = 'UTC' AS $$
DECLARE
  first timestamptz := to_date(gone, 'YYYY-MM');
  suffix text := to_char(to_date(gone, 'YYYY-MM'), '_YYYY_MM');
  sealed xid8 := (SELECT COALESCE(max("toXid"), 0) FROM seal)::text::xid8;
  archived integer;
  archived_events integer;
  present integer;
  deleted integer;
  unsealed boolean;
BEGIN
  IF first + interval '1 month' > now() - interval '1 day' THEN
    RAISE EXCEPTION 'the month % is not over for a day', gone USING ERRCODE = 'invalid_parameter_value';
  END IF;
  SELECT "rows", "events" INTO archived, archived_events FROM log_archive WHERE "id" = kept_in AND "month" = gone;
  IF archived IS NULL OR to_regclass(quote_ident('execution' || suffix)) IS NULL THEN
    RAISE EXCEPTION 'the month % has no tables, or no archive %', gone, kept_in USING ERRCODE = 'invalid_parameter_value';
  END IF;
  -- Before the log is locked, because it takes as long as there are events.
  IF archived_events IS NOT NULL THEN
    unsealed := EXISTS (SELECT FROM audit_event WHERE "at" >= first AND "at" < first + interval '1 month' AND xid >= sealed);
    PERFORM set_config('quartermaster.dropped_month', gone, true);
    DELETE FROM audit_event WHERE "at" >= first AND "at" < first + interval '1 month';
    GET DIAGNOSTICS deleted = ROW_COUNT;
    PERFORM set_config('quartermaster.dropped_month', '', true);
    IF unsealed OR deleted <> archived_events THEN
      RAISE EXCEPTION 'the month % has audit events that its archive does not have', gone USING ERRCODE = 'invalid_parameter_value';
    END IF;
    archived := archived - archived_events;
  END IF;
  -- Nothing more is written to it while it is counted.
  EXECUTE format('LOCK TABLE %I, %I IN SHARE MODE', 'execution' || suffix, 'execution_outcome' || suffix);
  EXECUTE format(
    'SELECT (SELECT count(*) FROM %1$I) + (SELECT count(*) FROM %2$I),
       EXISTS (SELECT FROM %1$I WHERE xid >= $1) OR EXISTS (SELECT FROM %2$I WHERE xid >= $1)',
    'execution' || suffix, 'execution_outcome' || suffix) INTO present, unsealed USING sealed;
  IF unsealed OR present <> archived THEN
    RAISE EXCEPTION 'the month % has rows that its archive does not have', gone USING ERRCODE = 'invalid_parameter_value';
  END IF;
  LOCK TABLE execution, execution_outcome, execution_body IN ACCESS EXCLUSIVE MODE;
  EXECUTE format('DROP TABLE %I, %I, %I', 'execution' || suffix, 'execution_outcome' || suffix, 'execution_body' || suffix);
END $$;
DO $$
BEGIN
  EXECUTE format('ALTER FUNCTION drop_log_month(text, text) SET search_path = %I, pg_temp', current_schema);
END $$;
