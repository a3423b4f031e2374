-- CreateTable
CREATE TABLE "access_grant" (
    "name" TEXT NOT NULL,
    "policy" TEXT NOT NULL,
    "tool" TEXT NOT NULL,
    "issuer" TEXT NOT NULL,
    "subject" TEXT NOT NULL,
    "client" TEXT,
    "from" TIMESTAMPTZ(3) NOT NULL,
    "until" TIMESTAMPTZ(3) NOT NULL,
    "by" TEXT NOT NULL,
    "endedBy" TEXT,
    "revision" INTEGER NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL,
    "updatedAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "access_grant_pkey" PRIMARY KEY ("name")
);

-- CreateIndex
CREATE INDEX "access_grant_until_idx" ON "access_grant"("until");
