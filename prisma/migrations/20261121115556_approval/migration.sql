-- CreateTable
CREATE TABLE "approval" (
    "callId" TEXT NOT NULL,
    "status" TEXT NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "closesAt" TIMESTAMPTZ(3) NOT NULL,
    "issuer" TEXT NOT NULL,
    "subject" TEXT NOT NULL,
    "agent" TEXT,
    "toolId" TEXT NOT NULL,
    "definitionHash" TEXT NOT NULL,
    "argumentsDigest" TEXT NOT NULL,
    "decidedBy" TEXT,
    "reason" TEXT,

    CONSTRAINT "approval_pkey" PRIMARY KEY ("callId")
);

-- CreateIndex
CREATE INDEX "approval_closesAt_callId_idx" ON "approval"("closesAt" DESC, "callId" DESC);

-- CreateIndex
CREATE INDEX "approval_status_closesAt_idx" ON "approval"("status", "closesAt");
