-- CreateIndex
CREATE INDEX "tool_flowGuess_idx" ON "tool" USING GIN ("flowGuess");

-- The page of tools with a guess, in order.
CREATE INDEX "tool_guessed_idx" ON "tool"("id") WHERE "flowGuess" IS NOT NULL;
