-- AlterTable
ALTER TABLE "kept_call" ADD COLUMN     "dueAt" TIMESTAMPTZ(3);

-- pg-boss made this schema for the queue of earlier versions, whose processes do not run on the baseline before this
-- migration. Another program's queues in the same schema keep it.
DO $$
BEGIN
  IF EXISTS (SELECT FROM pg_namespace WHERE nspname = 'pgboss' AND pg_has_role(nspowner, 'USAGE'))
    AND to_regclass('pgboss.queue') IS NOT NULL THEN
    IF NOT EXISTS (SELECT FROM pgboss.queue WHERE name <> 'calls' AND name NOT LIKE '\_\_pgboss\_\_%') THEN
      DROP SCHEMA pgboss CASCADE;
    END IF;
  END IF;
END $$;
