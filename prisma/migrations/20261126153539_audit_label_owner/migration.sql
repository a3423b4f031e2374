-- AlterTable
ALTER TABLE "audit_event" ADD COLUMN     "issuer" TEXT,
ADD COLUMN     "session" TEXT,
ADD COLUMN     "subject" TEXT;
