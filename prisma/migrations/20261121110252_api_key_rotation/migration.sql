-- AlterTable
ALTER TABLE "api_key" ADD COLUMN     "previousHash" BYTEA,
ADD COLUMN     "previousKeyId" TEXT,
ADD COLUMN     "previousLastFour" TEXT,
ADD COLUMN     "previousUntil" TIMESTAMPTZ(3);

-- CreateIndex
CREATE UNIQUE INDEX "api_key_previousKeyId_key" ON "api_key"("previousKeyId");
