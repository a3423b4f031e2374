-- AlterTable
ALTER TABLE "source" ADD COLUMN     "outputCheck" TEXT;

-- AlterTable
ALTER TABLE "tool" ADD COLUMN     "outputCheck" TEXT;

-- CreateTable
CREATE TABLE "output_misfit" (
    "toolId" TEXT NOT NULL,
    "definitionHash" TEXT NOT NULL,
    "pointer" TEXT NOT NULL,
    "message" TEXT NOT NULL,
    "callId" TEXT NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "output_misfit_pkey" PRIMARY KEY ("toolId")
);
