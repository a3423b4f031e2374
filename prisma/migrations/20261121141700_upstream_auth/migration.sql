-- AlterTable
ALTER TABLE "import_job" ADD COLUMN     "auth" JSONB,
ADD COLUMN     "suggestedAuth" JSONB NOT NULL DEFAULT '[]';

-- AlterTable
ALTER TABLE "tool" ADD COLUMN     "upstreamScopes" TEXT[] DEFAULT ARRAY[]::TEXT[];
