-- AlterTable
ALTER TABLE "tool" ADD COLUMN     "mcp" JSON;
