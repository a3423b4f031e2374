-- DropIndex
DROP INDEX "person_email_key";

-- AlterTable
ALTER TABLE "person" ADD COLUMN     "issuer" TEXT,
ADD COLUMN     "subject" TEXT;

-- CreateIndex
CREATE INDEX "person_email_idx" ON "person"("email");

-- CreateIndex
CREATE UNIQUE INDEX "person_issuer_subject_key" ON "person"("issuer", "subject");

-- An e-mail address names one account where it is signed in with. Of those who come through OpenID Connect it
-- is what their provider says of them and proves nothing: it may be anybody's (docs/decisions/0009).
CREATE UNIQUE INDEX "person_password_email_key" ON "person"("email") WHERE "issuer" IS NULL;

-- Someone signs in with a password or with OpenID Connect, never with both.
ALTER TABLE "person"
  ADD CONSTRAINT "person_identity_whole" CHECK (("issuer" IS NULL) = ("subject" IS NULL)),
  ADD CONSTRAINT "person_one_way_in" CHECK ("issuer" IS NULL OR "passwordHash" IS NULL);
