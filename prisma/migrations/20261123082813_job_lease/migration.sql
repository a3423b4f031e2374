-- CreateTable
CREATE TABLE "job_lease" (
    "job" TEXT NOT NULL,
    "holder" TEXT NOT NULL,
    "endsAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "job_lease_pkey" PRIMARY KEY ("job")
);
