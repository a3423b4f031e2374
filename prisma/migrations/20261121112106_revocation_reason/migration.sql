-- AlterTable
ALTER TABLE "revoked_token" ADD COLUMN     "reason" TEXT NOT NULL DEFAULT '';
