-- AlterTable
ALTER TABLE "agent" ADD COLUMN     "ownerGroups" TEXT[] DEFAULT ARRAY[]::TEXT[],
ADD COLUMN     "owners" TEXT[] DEFAULT ARRAY[]::TEXT[];

-- AlterTable
ALTER TABLE "person" ADD COLUMN     "groups" TEXT[] DEFAULT ARRAY[]::TEXT[];

-- CreateTable
CREATE TABLE "connection" (
    "id" TEXT NOT NULL,
    "person" UUID NOT NULL,
    "client" TEXT NOT NULL,
    "clientName" TEXT NOT NULL DEFAULT '',
    "agent" TEXT NOT NULL,
    "scopes" TEXT[],
    "lastUsedAt" TIMESTAMPTZ(3),
    "revision" INTEGER NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL,
    "updatedAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "connection_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "token_key" (
    "id" TEXT NOT NULL,
    "publicKey" JSONB NOT NULL,
    "ciphertext" TEXT NOT NULL,
    "revision" INTEGER NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL,
    "updatedAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "token_key_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "oauth_row" (
    "id" TEXT NOT NULL,
    "model" TEXT NOT NULL,
    "payload" JSONB NOT NULL,
    "connection" TEXT,
    "consumedAt" TIMESTAMPTZ(3),
    "expiresAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "oauth_row_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "client_document" (
    "id" TEXT NOT NULL,
    "document" JSONB NOT NULL,
    "fetchedAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "client_document_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "connection_person_client_agent_key" ON "connection"("person", "client", "agent");

-- CreateIndex
CREATE INDEX "oauth_row_connection_idx" ON "oauth_row"("connection");

-- CreateIndex
CREATE INDEX "oauth_row_expiresAt_idx" ON "oauth_row"("expiresAt");

-- CreateIndex
CREATE INDEX "client_document_fetchedAt_idx" ON "client_document"("fetchedAt");
