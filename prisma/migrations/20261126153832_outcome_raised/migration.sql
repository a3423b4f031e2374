-- AlterTable
ALTER TABLE "execution_outcome" ADD COLUMN     "raised" JSONB;
