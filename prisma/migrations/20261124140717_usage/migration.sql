-- CreateTable
CREATE TABLE "usage_day" (
    "policy" TEXT NOT NULL,
    "group" TEXT NOT NULL,
    "tool" TEXT NOT NULL,
    "caller" TEXT NOT NULL,
    "day" DATE NOT NULL,
    "calls" INTEGER NOT NULL,

    CONSTRAINT "usage_day_pkey" PRIMARY KEY ("policy","group","tool","caller","day")
);

-- CreateTable
CREATE TABLE "usage_caller" (
    "caller" TEXT NOT NULL,
    "issuer" TEXT NOT NULL,
    "subject" TEXT NOT NULL,
    "agent" TEXT,
    "claimsDigest" TEXT NOT NULL,
    "request" JSONB NOT NULL,
    "inSession" BOOLEAN NOT NULL,
    "lastDay" DATE NOT NULL,

    CONSTRAINT "usage_caller_pkey" PRIMARY KEY ("caller")
);

-- CreateTable
CREATE TABLE "usage_last" (
    "policy" TEXT NOT NULL,
    "group" TEXT NOT NULL,
    "tool" TEXT NOT NULL,
    "lastDay" DATE NOT NULL,

    CONSTRAINT "usage_last_pkey" PRIMARY KEY ("policy","group","tool")
);

-- CreateTable
CREATE TABLE "usage_cursor" (
    "id" INTEGER NOT NULL,
    "seal" INTEGER NOT NULL,

    CONSTRAINT "usage_cursor_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "usage_day_policy_day_idx" ON "usage_day"("policy", "day");

-- CreateIndex
CREATE INDEX "usage_day_caller_day_idx" ON "usage_day"("caller", "day");

-- CreateIndex
CREATE INDEX "usage_day_day_idx" ON "usage_day"("day");

-- CreateIndex
CREATE INDEX "usage_caller_lastDay_caller_idx" ON "usage_caller"("lastDay" DESC, "caller");

-- CreateIndex
CREATE INDEX "usage_caller_agent_lastDay_idx" ON "usage_caller"("agent", "lastDay" DESC);

-- CreateIndex
CREATE INDEX "usage_caller_subject_idx" ON "usage_caller"("subject");

INSERT INTO "usage_cursor" ("id", "seal") VALUES (1, 0);
