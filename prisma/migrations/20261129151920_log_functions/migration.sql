-- AlterTable
ALTER TABLE "seal_key" DROP CONSTRAINT "seal_key_pkey",
ADD CONSTRAINT "seal_key_pkey" PRIMARY KEY ("keyId", "vouchedBy", "signature");
