-- CreateTable
CREATE TABLE "linked_account" (
    "id" UUID NOT NULL DEFAULT gen_random_uuid(),
    "personId" UUID NOT NULL,
    "source" TEXT NOT NULL,
    "origin" TEXT NOT NULL,
    "issuer" TEXT NOT NULL,
    "scope" TEXT NOT NULL,
    "grant" TEXT,
    "usableUntil" TIMESTAMPTZ(3),
    "claimedAt" TIMESTAMPTZ(3),
    "endedAt" TIMESTAMPTZ(3),
    "linkedAt" TIMESTAMPTZ(3) NOT NULL,
    "refreshedAt" TIMESTAMPTZ(3),
    "lastUsedAt" TIMESTAMPTZ(3),

    CONSTRAINT "linked_account_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "link_attempt" (
    "id" TEXT NOT NULL,
    "personId" UUID NOT NULL,
    "session" INTEGER NOT NULL,
    "source" TEXT NOT NULL,
    "sealed" TEXT NOT NULL,
    "expiresAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "link_attempt_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "upstream_client" (
    "id" UUID NOT NULL DEFAULT gen_random_uuid(),
    "issuer" TEXT NOT NULL,
    "redirectUri" TEXT NOT NULL,
    "sealed" TEXT NOT NULL,
    "expiresAt" TIMESTAMPTZ(3),
    "createdAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "upstream_client_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "linked_account_source_linkedAt_idx" ON "linked_account"("source", "linkedAt");

-- CreateIndex
CREATE INDEX "linked_account_personId_linkedAt_idx" ON "linked_account"("personId", "linkedAt");

-- CreateIndex
CREATE INDEX "linked_account_linkedAt_id_idx" ON "linked_account"("linkedAt", "id");

-- CreateIndex
CREATE INDEX "link_attempt_expiresAt_idx" ON "link_attempt"("expiresAt");

-- CreateIndex
CREATE UNIQUE INDEX "upstream_client_issuer_redirectUri_key" ON "upstream_client"("issuer", "redirectUri");

-- At most one linked account per person and source. A row that has ended waits for its revocation at the upstream.
CREATE UNIQUE INDEX "linked_account_person_source_key" ON "linked_account"("personId", "source") WHERE "endedAt" IS NULL;
CREATE INDEX "linked_account_ended_idx" ON "linked_account"("endedAt") WHERE "endedAt" IS NOT NULL;

-- A linked account ends with its person and with its source. A later source of the same name gets none of them.
CREATE FUNCTION end_linked_accounts() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_TABLE_NAME = 'person' THEN
    UPDATE "linked_account" SET "endedAt" = now() WHERE "personId" = OLD."id" AND "endedAt" IS NULL;
    DELETE FROM "link_attempt" WHERE "personId" = OLD."id";
  ELSE
    UPDATE "linked_account" SET "endedAt" = now() WHERE "source" = OLD."name" AND "endedAt" IS NULL;
    DELETE FROM "link_attempt" WHERE "source" = OLD."name";
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER end_linked_accounts AFTER DELETE ON "person" FOR EACH ROW EXECUTE FUNCTION end_linked_accounts();
CREATE TRIGGER end_linked_accounts AFTER DELETE ON "source" FOR EACH ROW EXECUTE FUNCTION end_linked_accounts();
