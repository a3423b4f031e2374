-- AlterTable
ALTER TABLE "audit_event" ADD COLUMN     "address" TEXT,
ADD COLUMN     "count" INTEGER NOT NULL DEFAULT 1,
ADD COLUMN     "detail" TEXT,
ADD COLUMN     "xid" xid8 NOT NULL DEFAULT pg_current_xact_id();

-- AlterTable
ALTER TABLE "seal" ADD COLUMN     "auditFrom" BIGINT;

-- CreateIndex
CREATE INDEX "audit_event_xid_idx" ON "audit_event"("xid");

-- CreateIndex
CREATE INDEX "audit_event_action_at_id_idx" ON "audit_event"("action", "at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "audit_event_actor_at_id_idx" ON "audit_event"("actor", "at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "audit_event_target_at_id_idx" ON "audit_event"("target", "at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "change_action_at_id_idx" ON "change"("action", "at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "change_actor_at_id_idx" ON "change"("actor", "at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "change_rowId_at_id_idx" ON "change"("rowId", "at" DESC, "id" DESC);

-- Rows of before have the transaction of this migration: the next seal covers them.
CREATE TRIGGER never_truncated BEFORE TRUNCATE ON "audit_event" FOR EACH STATEMENT EXECUTE FUNCTION refuse_log_change();
