-- CreateTable
CREATE TABLE "mcp_session" (
    "id" TEXT NOT NULL,
    "issuer" TEXT NOT NULL,
    "subject" TEXT NOT NULL,
    "lastUsedAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "mcp_session_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "mcp_session_lastUsedAt_idx" ON "mcp_session"("lastUsedAt");
