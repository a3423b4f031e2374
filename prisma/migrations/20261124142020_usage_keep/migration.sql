-- CreateTable
CREATE TABLE "usage_keep" (
    "policy" TEXT NOT NULL,
    "tool" TEXT NOT NULL,
    "reason" TEXT NOT NULL,
    "by" TEXT NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "usage_keep_pkey" PRIMARY KEY ("policy","tool")
);
