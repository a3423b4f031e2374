-- AlterTable
ALTER TABLE "agent" ADD COLUMN     "callbackOrigins" TEXT[] DEFAULT ARRAY[]::TEXT[];

-- AlterTable
ALTER TABLE "source" ADD COLUMN     "idempotencyHeader" TEXT;

-- AlterTable
ALTER TABLE "tool" ADD COLUMN     "idempotencyHeader" TEXT;
