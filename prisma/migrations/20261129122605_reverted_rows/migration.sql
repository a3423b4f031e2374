-- AlterTable
ALTER TABLE "request" ADD COLUMN     "retryAt" TIMESTAMPTZ(3),
ADD COLUMN     "revertedRows" INTEGER[] DEFAULT ARRAY[]::INTEGER[];
