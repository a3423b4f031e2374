-- AlterTable
ALTER TABLE "import_job" ADD COLUMN     "unsent" TEXT;
