-- CreateTable
CREATE TABLE "source_breaker" (
    "source" TEXT NOT NULL,
    "instance" TEXT NOT NULL,
    "state" TEXT NOT NULL,
    "since" TIMESTAMPTZ(3) NOT NULL,
    "reason" TEXT NOT NULL,

    CONSTRAINT "source_breaker_pkey" PRIMARY KEY ("source","instance")
);
