-- Who opened the log's bodies is as append-only as the log itself (the function is in execution.sql).
CREATE TRIGGER audit_event_append_only BEFORE UPDATE OR DELETE ON audit_event
  FOR EACH ROW EXECUTE FUNCTION refuse_log_change();
