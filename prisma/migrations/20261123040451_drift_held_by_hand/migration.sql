-- AlterTable
ALTER TABLE "drift" ADD COLUMN     "heldByHand" BOOLEAN NOT NULL DEFAULT false;
