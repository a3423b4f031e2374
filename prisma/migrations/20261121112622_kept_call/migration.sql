-- CreateTable
CREATE TABLE "kept_call" (
    "callId" TEXT NOT NULL,
    "principal" TEXT NOT NULL,
    "idempotencyKey" TEXT,
    "bodyDigest" TEXT NOT NULL,
    "status" TEXT NOT NULL,
    "instance" TEXT,
    "job" TEXT,
    "answer" TEXT,
    "cancelled" BOOLEAN NOT NULL DEFAULT false,
    "repeatable" BOOLEAN NOT NULL DEFAULT false,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "endsAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "kept_call_pkey" PRIMARY KEY ("callId")
);

-- CreateIndex
CREATE INDEX "kept_call_endsAt_idx" ON "kept_call"("endsAt");

-- CreateIndex
CREATE INDEX "kept_call_instance_idx" ON "kept_call"("instance");

-- CreateIndex
CREATE UNIQUE INDEX "kept_call_principal_idempotencyKey_key" ON "kept_call"("principal", "idempotencyKey");
