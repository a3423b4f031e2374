-- AlterTable
ALTER TABLE "issuer" ADD COLUMN     "maxTokenAgeSeconds" INTEGER NOT NULL DEFAULT 86400;
