-- AlterTable
ALTER TABLE "linked_account" ADD COLUMN     "revokeFailedAt" TIMESTAMPTZ(3);
