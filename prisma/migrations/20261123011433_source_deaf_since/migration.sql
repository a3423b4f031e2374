-- AlterTable
ALTER TABLE "source_sync" ADD COLUMN     "deafSince" TIMESTAMPTZ(3);
