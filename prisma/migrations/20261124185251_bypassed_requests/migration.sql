-- AlterTable
ALTER TABLE "request" ADD COLUMN     "bypassedAt" TIMESTAMPTZ(3),
ADD COLUMN     "bypassedBy" TEXT,
ADD COLUMN     "bypassedById" UUID,
ADD COLUMN     "bypassedReason" TEXT;

-- CreateIndex
CREATE INDEX "request_revision_idx" ON "request"("revision");

-- A request is immutable except for its answer. A bypassed request gets a second answer: confirmed (applied) or reverted.
CREATE OR REPLACE FUNCTION request_immutable() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF (OLD."id", OLD."kind", OLD."at", OLD."askerKind", OLD."asker", OLD."personId", OLD."issuer", OLD."subject", OLD."client",
      OLD."reason", OLD."target", OLD."basis", OLD."facts"::text, OLD."hash")
    IS DISTINCT FROM
     (NEW."id", NEW."kind", NEW."at", NEW."askerKind", NEW."asker", NEW."personId", NEW."issuer", NEW."subject", NEW."client",
      NEW."reason", NEW."target", NEW."basis", NEW."facts"::text, NEW."hash")
    OR (OLD."status" NOT IN ('open', 'bypassed')
      AND (OLD."status", OLD."closesAt", OLD."decidedBy", OLD."decidedReason", OLD."revision")
      IS DISTINCT FROM (NEW."status", NEW."closesAt", NEW."decidedBy", NEW."decidedReason", NEW."revision"))
    OR (OLD."status" = 'bypassed' AND (NEW."status" NOT IN ('bypassed', 'applied', 'reverted')
      OR NEW."revision" IS DISTINCT FROM OLD."revision"
      OR (NEW."status" = 'bypassed' AND NEW."closesAt" <> OLD."closesAt")))
    OR ((OLD."status" <> 'open' OR NEW."status" <> 'bypassed')
      AND (OLD."bypassedBy", OLD."bypassedById", OLD."bypassedReason", OLD."bypassedAt")
      IS DISTINCT FROM (NEW."bypassedBy", NEW."bypassedById", NEW."bypassedReason", NEW."bypassedAt"))
  THEN RAISE EXCEPTION 'request % is immutable', OLD."id";
  END IF;
  RETURN NEW;
END $$;
