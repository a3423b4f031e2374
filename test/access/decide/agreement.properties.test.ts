import { test } from "vitest";
import { expectAgreementOver } from "@/test/access/agreement";

// `npm run fuzz` continues with other seeds for any length of time.
test("core and oracle agree on 10,000 worlds, reasons, explanations and fixes included", { timeout: 600_000 }, () => {
  expectAgreementOver(20_261_121, 10_000);
});
