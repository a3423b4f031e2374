-- The order in which processes claim queued calls.
CREATE INDEX "kept_call_due_idx" ON "kept_call" ("dueAt" NULLS FIRST, "at") WHERE "status" = 'queued';
