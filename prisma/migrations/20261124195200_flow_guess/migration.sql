-- AlterTable
ALTER TABLE "tool" ADD COLUMN     "flowGuess" JSONB;
