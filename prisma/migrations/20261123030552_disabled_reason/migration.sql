-- AlterTable
ALTER TABLE "agent" ADD COLUMN     "disabledReason" TEXT;

-- AlterTable
ALTER TABLE "source" ADD COLUMN     "disabledReason" TEXT;

-- AlterTable
ALTER TABLE "tool" ADD COLUMN     "disabledReason" TEXT;
