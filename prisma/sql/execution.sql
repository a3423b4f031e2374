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
