-- AlterTable
ALTER TABLE "source" ADD COLUMN     "command" TEXT;
