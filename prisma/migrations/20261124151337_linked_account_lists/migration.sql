-- DropIndex
DROP INDEX "linked_account_linkedAt_id_idx";

-- The list: by age, by source, and how many there are. Models cannot express partial indexes, and with `IS NULL` in an index's
-- first column PostgreSQL does not use the order of the others.
CREATE INDEX "linked_account_listed_linkedAt_idx" ON "linked_account"("linkedAt", "id") WHERE "endedAt" IS NULL;
CREATE INDEX "linked_account_listed_source_idx" ON "linked_account"("source", "id") WHERE "endedAt" IS NULL;
CREATE INDEX "linked_account_listed_id_idx" ON "linked_account"("id") WHERE "endedAt" IS NULL;
