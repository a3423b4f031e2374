-- CreateIndex
CREATE INDEX "agent_session_lastUsedAt_id_idx" ON "agent_session"("lastUsedAt" DESC, "id" DESC);
