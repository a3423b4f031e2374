-- CreateTable
CREATE TABLE "client" (
    "name" TEXT NOT NULL,
    "description" TEXT NOT NULL DEFAULT '',
    "enabled" BOOLEAN NOT NULL DEFAULT true,
    "redirectUris" TEXT[],
    "agent" TEXT,
    "jwks" JSONB,
    "revision" INTEGER NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL,
    "updatedAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "client_pkey" PRIMARY KEY ("name")
);

-- CreateIndex
CREATE INDEX "client_agent_idx" ON "client"("agent");
