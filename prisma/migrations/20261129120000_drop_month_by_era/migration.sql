-- A restored log counts transactions anew, in a new era. Whether a row is sealed depends on its era: without that, rows of the new
-- era could be dropped before a seal covers them. The condition is that of readUnsealed (lib/store/audit/seals.ts).
CREATE OR REPLACE FUNCTION drop_log_month(gone text, kept_in text) RETURNS void LANGUAGE plpgsql
  SECURITY DEFINER SET search_path FROM CURRENT SET lock_timeout = '500ms' SET timezone = 'UTC' AS $$
DECLARE
  first timestamptz := to_date(gone, 'YYYY-MM');
  suffix text := to_char(to_date(gone, 'YYYY-MM'), '_YYYY_MM');
  last seal;
  next bigint := pg_snapshot_xmax(pg_current_snapshot())::text::bigint;
  present_era integer;
  sealed bigint;
  sealed_events bigint;
  beyond bigint;
  unsealed_rows text := $rows$SELECT FROM %I line WHERE (line.xid >= $3::text::xid8 OR line.xid >= $1::text::xid8
    AND line.xid < $2::text::xid8 AND NOT EXISTS (
      SELECT FROM seal WHERE seal.era < $4 AND line.xid::text::bigint >= seal.%I AND line.xid::text::bigint < seal."toXid"
        AND line."at" <= seal."at" + interval '1 minute'))$rows$;
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
  SELECT * INTO last FROM seal ORDER BY "number" DESC LIMIT 1;
  -- Just restored: the numbers start anew, and the new era has no seal yet.
  present_era := COALESCE(last."era", 1) + COALESCE((last."toXid" > next)::integer, 0);
  sealed := CASE WHEN last."era" = present_era THEN last."toXid" ELSE 0 END;
  SELECT * INTO last FROM seal WHERE "auditFrom" IS NOT NULL ORDER BY "number" DESC LIMIT 1;
  sealed_events := CASE WHEN last."era" = present_era THEN last."toXid" ELSE 0 END;
  beyond := greatest(sealed, next, CASE WHEN present_era > 1 THEN (SELECT max("toXid") FROM seal WHERE "era" < present_era) END);
  -- Before the log is locked, because it takes as long as there are events.
  IF archived_events IS NOT NULL THEN
    EXECUTE format('SELECT EXISTS (' || unsealed_rows || ' AND line."at" >= $5 AND line."at" < $6)', 'audit_event', 'auditFrom')
      INTO unsealed USING sealed_events, greatest(sealed_events, next), beyond, present_era, first, first + interval '1 month';
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
    'SELECT (SELECT count(*) FROM %I) + (SELECT count(*) FROM %I), EXISTS (' || unsealed_rows || ') OR EXISTS (' || unsealed_rows || ')',
    'execution' || suffix, 'execution_outcome' || suffix, 'execution' || suffix, 'fromXid', 'execution_outcome' || suffix, 'fromXid')
    INTO present, unsealed USING sealed, greatest(sealed, next), beyond, present_era;
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
