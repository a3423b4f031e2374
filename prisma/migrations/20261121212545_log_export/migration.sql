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

-- CreateIndex
CREATE INDEX "log_export_at_id_idx" ON "log_export"("at" DESC, "id" DESC);

-- As append-only as the log: see sealed_log.
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE ON "log_export" FOR EACH ROW EXECUTE FUNCTION refuse_log_change();
CREATE TRIGGER never_truncated BEFORE TRUNCATE ON "log_export" FOR EACH STATEMENT EXECUTE FUNCTION refuse_log_change();
DO $$
BEGIN
  IF EXISTS (SELECT FROM pg_roles WHERE rolname = 'quartermaster_app') THEN
    REVOKE UPDATE, DELETE ON "log_export" FROM quartermaster_app;
  END IF;
END $$;
