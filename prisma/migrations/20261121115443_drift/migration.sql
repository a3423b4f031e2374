-- AlterTable
ALTER TABLE "source" ADD COLUMN     "syncMinutes" INTEGER;

-- CreateTable
CREATE TABLE "drift" (
    "id" TEXT NOT NULL,
    "source" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "severity" TEXT NOT NULL,
    "since" TIMESTAMPTZ(3) NOT NULL,
    "proposed" JSON,
    "rejectedBy" TEXT,
    "revision" INTEGER NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL,
    "updatedAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "drift_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "source_sync" (
    "source" TEXT NOT NULL,
    "startedAt" TIMESTAMPTZ(3) NOT NULL,
    "busyUntil" TIMESTAMPTZ(3),
    "syncedAt" TIMESTAMPTZ(3),
    "failures" INTEGER NOT NULL DEFAULT 0,
    "failedAt" TIMESTAMPTZ(3),
    "error" TEXT,

    CONSTRAINT "source_sync_pkey" PRIMARY KEY ("source")
);

-- CreateIndex
CREATE INDEX "drift_source_id_idx" ON "drift"("source", "id");

-- CreateIndex
CREATE INDEX "drift_since_id_idx" ON "drift"("since" DESC, "id" DESC);

-- AddForeignKey
ALTER TABLE "source_sync" ADD CONSTRAINT "source_sync_source_fkey" FOREIGN KEY ("source") REFERENCES "source"("name") ON DELETE CASCADE ON UPDATE CASCADE;
