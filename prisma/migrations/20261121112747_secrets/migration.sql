-- Nothing has read or written this table so far: replacing its columns takes nothing from an older app.
-- AlterTable
ALTER TABLE "secret" DROP COLUMN "keyId",
DROP COLUMN "nonce",
ADD COLUMN     "lastUsedAt" TIMESTAMPTZ(3),
ADD COLUMN     "origins" TEXT[],
ADD COLUMN     "revision" INTEGER NOT NULL,
ADD COLUMN     "setAt" TIMESTAMPTZ(3) NOT NULL,
ALTER COLUMN "ciphertext" SET DATA TYPE TEXT;
