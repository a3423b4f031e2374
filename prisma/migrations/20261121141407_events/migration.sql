-- CreateTable
CREATE TABLE "webhook" (
    "name" TEXT NOT NULL,
    "description" TEXT NOT NULL DEFAULT '',
    "url" TEXT NOT NULL,
    "events" TEXT[],
    "active" BOOLEAN NOT NULL DEFAULT true,
    "switchedOff" TEXT,
    "lastFour" TEXT NOT NULL,
    "ciphertext" TEXT NOT NULL,
    "previousCiphertext" TEXT,
    "previousUntil" TIMESTAMPTZ(3),
    "revision" INTEGER NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL,
    "updatedAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "webhook_pkey" PRIMARY KEY ("name")
);

-- CreateTable
CREATE TABLE "event" (
    "id" TEXT NOT NULL,
    "type" TEXT NOT NULL,
    "key" TEXT,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "path" TEXT NOT NULL,
    "data" JSONB NOT NULL,

    CONSTRAINT "event_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "delivery" (
    "id" TEXT NOT NULL,
    "type" TEXT NOT NULL,
    "webhook" TEXT,
    "eventId" TEXT,
    "callId" TEXT,
    "origin" TEXT,
    "sealed" TEXT,
    "status" TEXT NOT NULL DEFAULT 'pending',
    "tries" INTEGER NOT NULL DEFAULT 0,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "dueAt" TIMESTAMPTZ(3),
    "note" TEXT,

    CONSTRAINT "delivery_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "delivery_attempt" (
    "id" BIGSERIAL NOT NULL,
    "deliveryId" TEXT NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "status" INTEGER,
    "ms" DOUBLE PRECISION NOT NULL,
    "error" TEXT,
    "answer" TEXT,

    CONSTRAINT "delivery_attempt_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "event_key_key" ON "event"("key");

-- CreateIndex
CREATE INDEX "event_at_idx" ON "event"("at");

-- CreateIndex
CREATE INDEX "delivery_at_id_idx" ON "delivery"("at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "delivery_webhook_at_idx" ON "delivery"("webhook", "at" DESC);

-- CreateIndex
CREATE INDEX "delivery_eventId_idx" ON "delivery"("eventId");

-- CreateIndex
CREATE INDEX "delivery_callId_idx" ON "delivery"("callId");

-- CreateIndex
CREATE INDEX "delivery_attempt_deliveryId_id_idx" ON "delivery_attempt"("deliveryId", "id");

-- AddForeignKey
ALTER TABLE "delivery" ADD CONSTRAINT "delivery_webhook_fkey" FOREIGN KEY ("webhook") REFERENCES "webhook"("name") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "delivery" ADD CONSTRAINT "delivery_eventId_fkey" FOREIGN KEY ("eventId") REFERENCES "event"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "delivery_attempt" ADD CONSTRAINT "delivery_attempt_deliveryId_fkey" FOREIGN KEY ("deliveryId") REFERENCES "delivery"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- What is due next: asked every second, and few rows of the log are pending.
CREATE INDEX "delivery_due_idx" ON "delivery" ("dueAt") WHERE "status" = 'pending';
