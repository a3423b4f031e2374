-- CreateIndex
CREATE INDEX "approval_at_callId_idx" ON "approval"("at" DESC, "callId" DESC);

-- CreateIndex
CREATE INDEX "approval_agent_closesAt_idx" ON "approval"("agent", "closesAt" DESC);

-- CreateIndex
CREATE INDEX "approval_subject_closesAt_idx" ON "approval"("subject", "closesAt" DESC);

-- CreateIndex
CREATE INDEX "approval_toolId_closesAt_idx" ON "approval"("toolId", "closesAt" DESC);

-- CreateIndex
CREATE INDEX "approval_decidedBy_closesAt_idx" ON "approval"("decidedBy", "closesAt" DESC);

-- CreateIndex
CREATE INDEX "drift_kind_since_id_idx" ON "drift"("kind", "since" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "drift_severity_since_id_idx" ON "drift"("severity", "since" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "drift_rejectedBy_since_id_idx" ON "drift"("rejectedBy", "since" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "delivery_status_at_id_idx" ON "delivery"("status", "at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "delivery_type_at_id_idx" ON "delivery"("type", "at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "change_action_id_idx" ON "change"("action", "id");

-- CreateIndex
CREATE INDEX "change_actor_id_idx" ON "change"("actor", "id");

-- CreateIndex
CREATE INDEX "agent_session_createdAt_id_idx" ON "agent_session"("createdAt" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "agent_session_calls_id_idx" ON "agent_session"("calls" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "agent_session_agent_lastUsedAt_id_idx" ON "agent_session"("agent", "lastUsedAt" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "agent_session_issuer_lastUsedAt_id_idx" ON "agent_session"("issuer", "lastUsedAt" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "agent_session_state_lastUsedAt_id_idx" ON "agent_session"("state", "lastUsedAt" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "agent_session_escalated_lastUsedAt_id_idx" ON "agent_session"("escalated", "lastUsedAt" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "tool_createdAt_id_idx" ON "tool"("createdAt", "id");

-- CreateIndex
CREATE INDEX "tool_category_id_idx" ON "tool"("category", "id");

-- CreateIndex
CREATE INDEX "tool_method_id_idx" ON "tool"("method", "id");

-- CreateIndex
CREATE INDEX "tool_status_id_idx" ON "tool"("status", "id");

-- CreateIndex
CREATE INDEX "tool_enabled_id_idx" ON "tool"("enabled", "id");

-- CreateIndex
CREATE INDEX "tool_hasSideEffects_id_idx" ON "tool"("hasSideEffects", "id");

-- CreateIndex
CREATE INDEX "tool_requiresApproval_id_idx" ON "tool"("requiresApproval", "id");

-- CreateIndex
CREATE INDEX "tool_labels_idx" ON "tool" USING GIN ("labels");

-- CreateIndex
CREATE INDEX "tool_requiredCapabilities_idx" ON "tool" USING GIN ("requiredCapabilities");

-- CreateIndex
CREATE INDEX "tool_groups_idx" ON "tool" USING GIN ("groups");

-- The tools of the group `default` are those that declare none: a GIN index does not hold them.
CREATE INDEX "tool_undeclared_idx" ON "tool" ("id") WHERE "groups" IS NULL;
