-- CreateTable
CREATE TABLE "request" (
    "id" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "status" TEXT NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "closesAt" TIMESTAMPTZ(3) NOT NULL,
    "askerKind" TEXT NOT NULL,
    "asker" TEXT NOT NULL,
    "personId" UUID,
    "issuer" TEXT,
    "subject" TEXT,
    "client" TEXT,
    "reason" TEXT NOT NULL,
    "target" TEXT NOT NULL,
    "basis" INTEGER NOT NULL,
    "facts" JSONB NOT NULL,
    "body" TEXT NOT NULL,
    "secrets" TEXT,
    "hash" TEXT NOT NULL,
    "decidedBy" TEXT,
    "decidedReason" TEXT,
    "revision" INTEGER,

    CONSTRAINT "request_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "request_closesAt_id_idx" ON "request"("closesAt" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "request_status_closesAt_idx" ON "request"("status", "closesAt");

-- CreateIndex
CREATE INDEX "request_at_id_idx" ON "request"("at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "request_kind_closesAt_idx" ON "request"("kind", "closesAt" DESC);

-- CreateIndex
CREATE INDEX "request_asker_closesAt_idx" ON "request"("asker", "closesAt" DESC);

-- CreateIndex
CREATE INDEX "request_target_closesAt_idx" ON "request"("target", "closesAt" DESC);

-- CreateIndex
CREATE INDEX "request_decidedBy_closesAt_idx" ON "request"("decidedBy", "closesAt" DESC);

-- CreateIndex
CREATE INDEX "request_personId_closesAt_idx" ON "request"("personId", "closesAt" DESC);

-- CreateIndex
CREATE INDEX "request_issuer_subject_closesAt_idx" ON "request"("issuer", "subject", "closesAt" DESC);

-- At most one open request per caller and tool. Two null clients are equal here.
CREATE UNIQUE INDEX "request_open_access_key" ON "request"("issuer", "subject", COALESCE("client", ''), "target")
  WHERE "kind" = 'access' AND "status" = 'open';

-- A request is immutable except for its answer, and has one answer. `body` and `secrets` may be sealed under another key.
CREATE FUNCTION request_immutable() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF (OLD."id", OLD."kind", OLD."at", OLD."askerKind", OLD."asker", OLD."personId", OLD."issuer", OLD."subject", OLD."client",
      OLD."reason", OLD."target", OLD."basis", OLD."facts"::text, OLD."hash")
    IS DISTINCT FROM
     (NEW."id", NEW."kind", NEW."at", NEW."askerKind", NEW."asker", NEW."personId", NEW."issuer", NEW."subject", NEW."client",
      NEW."reason", NEW."target", NEW."basis", NEW."facts"::text, NEW."hash")
    OR (OLD."status" <> 'open' AND (OLD."status", OLD."closesAt", OLD."decidedBy", OLD."decidedReason", OLD."revision")
      IS DISTINCT FROM (NEW."status", NEW."closesAt", NEW."decidedBy", NEW."decidedReason", NEW."revision"))
  THEN RAISE EXCEPTION 'request % is immutable', OLD."id";
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER request_immutable BEFORE UPDATE ON "request" FOR EACH ROW EXECUTE FUNCTION request_immutable();
