import { findFindings } from "@/test/access/findings-of";
import { expect, test } from "vitest";
import { compile } from "@/lib/access/compile/compile";
import { configurationOf } from "@/test/access/case-configuration";
import { cpuMs } from "@/test/support/cpu-time";

const NOW = Date.UTC(2026, 2, 31, 12);

test("a thousand policies over ten thousand tools are analysed in a bounded number of comparisons", () => {
  const tools = Array.from({ length: 10_000 }, (_, n) => ({ id: `x:t${n}`, groups: [`g${n % 100}`] }));
  const groups = Array.from({ length: 100 }, (_, n) => ({ name: `g${n}` }));
  const policies = Array.from({ length: 1000 }, (_, n) => ({
    name: `p${n}`,
    groups: [`g${n % 100}`],
    matchers: [
      { claim: "mail", operator: "ends_with", value: `@${n}.example` },
      { claim: "level", operator: "gte", value: n },
    ],
  }));
  const index = compile(
    configurationOf({
      file: "findings",
      name: "",
      configuration: { apiVersion: "quartermaster/v1" },
      stored: { sources: [{ name: "x" }], groups, tools, policies },
    }),
  );
  const taken = cpuMs(() =>
    expect(findFindings(index, NOW).filter(({ about }) => about.kind === "policy")).toEqual([]),
  );
  // The promise is about one second of processor time.
  expect(taken).toBeLessThan(3000);
});
