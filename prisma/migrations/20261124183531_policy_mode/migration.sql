-- AlterTable
ALTER TABLE "policy" ADD COLUMN     "mode" TEXT NOT NULL DEFAULT 'enforce';
