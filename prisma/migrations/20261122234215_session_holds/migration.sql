-- AlterTable
ALTER TABLE "agent_session" ADD COLUMN     "heldBy" TEXT,
ADD COLUMN     "heldUntil" TIMESTAMPTZ(3),
ADD COLUMN     "holder" TEXT;
