-- CreateIndex
CREATE INDEX "approval_toolId_prefix_idx" ON "approval"("toolId" text_pattern_ops);
