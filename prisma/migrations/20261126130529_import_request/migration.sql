-- AlterTable
ALTER TABLE "import_job" ADD COLUMN     "request" TEXT;

-- CreateIndex
CREATE INDEX "import_job_request_idx" ON "import_job"("request");
