-- CreateTable
CREATE TABLE "handled_denial" (
    "id" TEXT NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "actor" TEXT NOT NULL,

    CONSTRAINT "handled_denial_pkey" PRIMARY KEY ("id")
);
