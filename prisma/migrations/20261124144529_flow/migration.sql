-- AlterTable
ALTER TABLE "tool" ADD COLUMN     "flow" JSONB NOT NULL DEFAULT '{"raises": [], "is": []}';

-- CreateTable
CREATE TABLE "label" (
    "name" TEXT NOT NULL,
    "description" TEXT NOT NULL DEFAULT '',
    "scope" TEXT NOT NULL,
    "holdMinutes" INTEGER,
    "revision" INTEGER NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL,
    "updatedAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "label_pkey" PRIMARY KEY ("name")
);

-- CreateTable
CREATE TABLE "flow_rule" (
    "name" TEXT NOT NULL,
    "description" TEXT NOT NULL DEFAULT '',
    "active" BOOLEAN NOT NULL DEFAULT true,
    "mode" TEXT NOT NULL DEFAULT 'enforce',
    "when" JSONB NOT NULL,
    "restrict" JSONB NOT NULL,
    "effect" TEXT NOT NULL DEFAULT 'hide',
    "revision" INTEGER NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL,
    "updatedAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "flow_rule_pkey" PRIMARY KEY ("name")
);

-- CreateTable
CREATE TABLE "held_label" (
    "issuer" TEXT NOT NULL,
    "subject" TEXT NOT NULL,
    "session" TEXT NOT NULL,
    "label" TEXT NOT NULL,
    "callId" TEXT NOT NULL,
    "toolId" TEXT NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "until" TIMESTAMPTZ(3),

    CONSTRAINT "held_label_pkey" PRIMARY KEY ("issuer","subject","session","label")
);

-- CreateIndex
CREATE INDEX "held_label_until_idx" ON "held_label"("until");

-- CreateIndex
CREATE INDEX "held_label_session_idx" ON "held_label"("session");

-- CreateIndex
CREATE INDEX "held_label_label_at_idx" ON "held_label"("label", "at" DESC);
