-- DropIndex
DROP INDEX "execution_outcome_code_at_idx";

-- DropIndex
DROP INDEX "execution_outcome_reason_at_idx";

-- CreateIndex
CREATE INDEX "execution_policies_idx" ON "execution" USING GIN ("policies");

-- CreateIndex
CREATE INDEX "execution_revision_idx" ON "execution" USING BRIN ("revision");

-- CreateIndex
CREATE INDEX "execution_outcome_status_callAt_callId_idx" ON "execution_outcome"("status", "callAt" DESC, "callId" DESC);

-- CreateIndex
CREATE INDEX "execution_outcome_code_callAt_callId_idx" ON "execution_outcome"("code", "callAt" DESC, "callId" DESC);

-- CreateIndex
CREATE INDEX "execution_outcome_reason_callAt_callId_idx" ON "execution_outcome"("reason", "callAt" DESC, "callId" DESC);

-- What was asked for and is no tool: found by the filter that finds a tool's calls.
CREATE INDEX "execution_asked_at_idx" ON "execution"("asked", "at" DESC) WHERE "toolId" IS NULL;
-- What is under way: most kept calls have ended.
CREATE INDEX "kept_call_open_idx" ON "kept_call" ("callId") WHERE "status" <> 'ended';
