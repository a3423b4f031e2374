-- AlterTable
ALTER TABLE "policy" ADD COLUMN     "approvers" JSONB,
ADD COLUMN     "maxHours" INTEGER;
