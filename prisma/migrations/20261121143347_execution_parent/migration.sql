-- AlterTable
ALTER TABLE "execution" ADD COLUMN     "parent" TEXT;

-- Few calls are made by scripts.
CREATE INDEX "execution_parent_idx" ON "execution" ("parent") WHERE "parent" IS NOT NULL;
