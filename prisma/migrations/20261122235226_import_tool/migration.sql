-- AlterTable
ALTER TABLE "import_job" ADD COLUMN     "applied" JSONB,
ADD COLUMN     "beatAt" TIMESTAMPTZ(3),
ALTER COLUMN "tools" SET DEFAULT '[]';

-- CreateTable
CREATE TABLE "import_tool" (
    "import" UUID NOT NULL,
    "place" INTEGER NOT NULL,
    "tool" JSONB NOT NULL,

    CONSTRAINT "import_tool_pkey" PRIMARY KEY ("import","place")
);
