import { test } from "vitest";
import { expectAgreementOver } from "@/test/access/agreement";

// A file of its own, so that it runs beside the first ten thousand.
test("core and oracle agree on 10,000 more worlds", { timeout: 600_000 }, () => {
  expectAgreementOver(7, 10_000);
});
