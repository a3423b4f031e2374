-- AlterTable
ALTER TABLE "linked_account" ADD COLUMN     "refreshFailedAt" TIMESTAMPTZ(3),
ADD COLUMN     "wantedScope" TEXT;
