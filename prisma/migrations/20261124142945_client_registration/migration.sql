-- CreateTable
CREATE TABLE "client_registration" (
    "id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "metadata" JSONB NOT NULL,
    "address" TEXT NOT NULL,
    "lastUsedAt" TIMESTAMPTZ(3),
    "createdAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "client_registration_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "client_registration_createdAt_id_idx" ON "client_registration"("createdAt" DESC, "id");

-- CreateIndex
CREATE INDEX "client_registration_address_createdAt_idx" ON "client_registration"("address", "createdAt");
