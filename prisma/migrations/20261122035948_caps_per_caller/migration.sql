-- CreateIndex
CREATE INDEX "agent_session_issuer_subject_expiresAt_idx" ON "agent_session"("issuer", "subject", "expiresAt" DESC);

-- How many calls of a caller have not ended.
CREATE INDEX "kept_call_waiting_idx" ON "kept_call" ("principal") WHERE "later" AND "status" <> 'ended';
