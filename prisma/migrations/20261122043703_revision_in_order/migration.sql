-- CreateIndex
CREATE INDEX "execution_revision_at_idx" ON "execution"("revision", "at" DESC);

-- DropIndex
DROP INDEX "execution_revision_idx";
