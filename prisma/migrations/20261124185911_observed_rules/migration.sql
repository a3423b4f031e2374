-- CreateTable
CREATE TABLE "observed_call" (
    "callId" TEXT NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "kind" TEXT NOT NULL,
    "rule" TEXT NOT NULL,
    "ruleRevision" INTEGER NOT NULL,
    "toolId" TEXT NOT NULL,
    "issuer" TEXT NOT NULL,
    "subject" TEXT NOT NULL,
    "agent" TEXT,
    "change" TEXT NOT NULL,
    "visible" BOOLEAN NOT NULL,
    "reason" TEXT,

    CONSTRAINT "observed_call_pkey" PRIMARY KEY ("callId")
);

-- CreateTable
CREATE TABLE "observed_day" (
    "kind" TEXT NOT NULL,
    "rule" TEXT NOT NULL,
    "ruleRevision" INTEGER NOT NULL,
    "day" DATE NOT NULL,
    "change" TEXT NOT NULL,
    "tool" TEXT NOT NULL,
    "issuer" TEXT NOT NULL,
    "subject" TEXT NOT NULL,
    "agent" TEXT NOT NULL,
    "count" INTEGER NOT NULL,

    CONSTRAINT "observed_day_pkey" PRIMARY KEY ("kind","rule","ruleRevision","day","change","tool","issuer","subject","agent")
);

-- CreateIndex
CREATE INDEX "observed_call_kind_rule_ruleRevision_at_callId_idx" ON "observed_call"("kind", "rule", "ruleRevision", "at" DESC, "callId");

-- CreateIndex
CREATE INDEX "observed_call_at_idx" ON "observed_call"("at");

-- CreateIndex
CREATE INDEX "observed_call_subject_idx" ON "observed_call"("subject");

-- CreateIndex
CREATE INDEX "observed_call_agent_idx" ON "observed_call"("agent");

-- CreateIndex
CREATE INDEX "observed_day_day_idx" ON "observed_day"("day");

-- CreateIndex
CREATE INDEX "observed_day_subject_idx" ON "observed_day"("subject");

-- CreateIndex
CREATE INDEX "observed_day_agent_idx" ON "observed_day"("agent");
