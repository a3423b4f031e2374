-- Nothing erases the bodies of a single call: erase_bodies_of() is the only way to erase.
DROP FUNCTION erase_log_bodies(text, text, text, text, text);

-- Takes from the role what it may not do: change rows of the log and of the lists beside it, and reach a single month. Gives it the
-- functions that erase, drop and prepare. grant_app_role() grants on all tables and calls this, so this names every append-only table.
CREATE OR REPLACE FUNCTION limit_app_role() RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  part regclass;
BEGIN
  REVOKE UPDATE, DELETE ON execution, execution_outcome, execution_body, audit_event, seal, seal_leaves, seal_key,
    log_export, log_erasure, log_archive, log_drop FROM quartermaster_app;
  REVOKE INSERT, UPDATE, DELETE ON _prisma_migrations FROM quartermaster_app;
  FOR part IN
    SELECT inhrelid::regclass FROM pg_inherits
    WHERE inhparent IN ('execution'::regclass, 'execution_outcome'::regclass, 'execution_body'::regclass)
  LOOP
    EXECUTE format('REVOKE ALL ON %s FROM quartermaster_app', part);
  END LOOP;
  GRANT EXECUTE ON FUNCTION prepare_log_months(),
    erase_bodies_of(text, text, text, timestamptz, timestamptz, text, text, text, text), drop_log_month(text, text)
    TO quartermaster_app;
END $$;
