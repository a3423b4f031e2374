-- CreateIndex
CREATE INDEX "mcp_session_issuer_subject_idx" ON "mcp_session"("issuer", "subject");
