-- CreateIndex
CREATE INDEX "log_erasure_agent_idx" ON "log_erasure"("agent");

-- CreateIndex
CREATE INDEX "log_erasure_subject_issuer_idx" ON "log_erasure"("subject", "issuer");
