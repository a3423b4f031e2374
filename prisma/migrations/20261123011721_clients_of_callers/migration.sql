-- AlterTable
ALTER TABLE "execution" ADD COLUMN     "client" TEXT;

-- AlterTable
ALTER TABLE "mcp_session" ADD COLUMN     "client" TEXT;

-- AlterTable
ALTER TABLE "agent_session" ADD COLUMN     "bytes" INTEGER NOT NULL DEFAULT 0,
ADD COLUMN     "client" TEXT;

-- The bytes of one caller's sessions, summed without reading the rows.
CREATE INDEX "agent_session_bytes_idx" ON "agent_session" ("issuer", "subject") INCLUDE ("bytes");

UPDATE "agent_session" SET "bytes" = octet_length(COALESCE("question", '')) + octet_length("history"::text)
  + octet_length("metadata"::text) + octet_length("group"::text);

-- An empty state names none: it led a session back to the initial state.
UPDATE "tool" SET "state" = NULL WHERE "state" = '';
