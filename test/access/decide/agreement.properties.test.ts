import { test } from "vitest";
import { expectAgreementOver } from "@/test/access/agreement";

// The seed is fixed, so more worlds repeat the same run longer: `test/mutation` finds every fault with 400. `npm run fuzz` draws
// other worlds for any length of time.
test("core and oracle agree on 3,000 worlds, reasons, explanations and fixes included", { timeout: 600_000 }, () => {
  expectAgreementOver(20_261_121, 3_000);
});
