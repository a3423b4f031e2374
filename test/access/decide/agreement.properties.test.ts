import { test } from "vitest";
import { expectAgreementOver } from "@/test/access/agreement";

// `npm run fuzz` goes on from other seeds, for as long as one likes.
test("core and oracle agree on 10,000 worlds, reasons, explanations and fixes included", { timeout: 600_000 }, () => {
  expectAgreementOver(20_261_121, 10_000);
});
