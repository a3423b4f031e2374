import * as fc from "fast-check";
import { test } from "vitest";
import { expectSame } from "@/test/access/agreement";
import { parseCases, questionOf } from "@/test/access/case";
import { toCaseFile } from "@/test/access/found-case";
import { seenByOracle } from "@/test/access/seen-by-oracle";
import { worlds } from "@/test/access/worlds";

test("a world saved as a case gives the same question", { timeout: 600_000 }, () => {
  fc.assert(
    fc.property(worlds, (world) => {
      const seen = seenByOracle(world, world.calls);
      const [one] = parseCases("kept", structuredClone(toCaseFile(world, seen)));
      expectSame(seenByOracle(questionOf(one!), one!.expect.calls), seen);
    }),
    { seed: 3, numRuns: 200 },
  );
});
