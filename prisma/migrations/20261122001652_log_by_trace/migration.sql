-- The calls of one trace, newest first: most calls of an installation without tracing have none.
CREATE INDEX "execution_traceId_at_idx" ON "execution" ("traceId", "at" DESC) WHERE "traceId" IS NOT NULL;
