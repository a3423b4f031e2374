-- AlterTable
ALTER TABLE "kept_call" ADD COLUMN     "later" BOOLEAN NOT NULL DEFAULT false;
