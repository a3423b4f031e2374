-- AlterTable
ALTER TABLE "issuer" ADD COLUMN     "identityAssertions" BOOLEAN NOT NULL DEFAULT false;
