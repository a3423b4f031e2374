-- AlterTable
ALTER TABLE "execution" ADD COLUMN     "traceId" TEXT;

-- How many calls wait, and since when, is asked at each scrape; most kept calls have ended.
CREATE INDEX "kept_call_queued_idx" ON "kept_call" ("at") WHERE "status" = 'queued';
