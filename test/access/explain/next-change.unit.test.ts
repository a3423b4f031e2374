import { describe, expect, test } from "vitest";
import type { Json } from "@/lib/access/model/configuration";
import type { OperatorName } from "@/lib/access/model/matcher";
import { operatorTable } from "@/lib/access/matching/operators";
import { isProblem } from "@/lib/access/model/problem";
import { NOW } from "@/test/access/claim-worlds";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

function within(operator: OperatorName, duration: string) {
  const compiled = operatorTable[operator].compile(duration, false);
  if (isProblem(compiled) || compiled.nextChange === null) throw new Error(`${duration} does not compile`);
  return { test: compiled.test, nextChange: compiled.nextChange };
}
const iso = (time: number): string => new Date(time).toISOString();

describe("the next change of an answer about a time", () => {
  test.each<[OperatorName, string, Json, number]>([
    ["within_next", "PT1H", iso(NOW + 3 * HOUR), NOW + 2 * HOUR],
    ["within_next", "PT1H", iso(NOW + HOUR), NOW],
    ["within_next", "PT1H", iso(NOW + HOUR - 1), NOW + HOUR - 1],
    ["within_next", "PT1H", iso(NOW), NOW],
    ["within_next", "PT1H", iso(NOW - 1), Number.POSITIVE_INFINITY],
    ["within_last", "PT1H", iso(NOW + HOUR), NOW + HOUR],
    ["within_last", "PT1H", iso(NOW), NOW],
    ["within_last", "PT1H", iso(NOW - 1), NOW - 1 + HOUR],
    ["within_last", "PT1H", iso(NOW - HOUR), NOW],
    ["within_last", "PT1H", iso(NOW - HOUR - 1), Number.POSITIVE_INFINITY],
    // A month and half a day: 28½ to 31½ days.
    ["within_next", "P1MT12H", iso(NOW + 31.5 * DAY + 1), NOW + 1],
    ["within_next", "P1MT12H", iso(NOW + 31.5 * DAY - 1), NOW],
    ["within_next", "P1MT12H", iso(NOW + 28.5 * DAY), NOW],
    ["within_next", "P1MT12H", iso(NOW + 28.5 * DAY - 1), NOW + 28.5 * DAY - 1],
    ["within_last", "P1MT12H", iso(NOW - 28.5 * DAY + 1), NOW + 1],
    ["within_last", "P1MT12H", iso(NOW - 28.5 * DAY - 1), NOW],
    ["within_last", "P1MT12H", iso(NOW - 31.5 * DAY), NOW],
    ["within_last", "P1MT12H", iso(NOW - 31.5 * DAY - 1), Number.POSITIVE_INFINITY],
    ["within_last", "P1D", "yesterday", Number.POSITIVE_INFINITY],
    ["within_next", "P1D", true, Number.POSITIVE_INFINITY],
  ])("%s %s, of %j", (operator, duration, claim, flip) => {
    expect(within(operator, duration).nextChange(claim, NOW)).toBe(flip);
  });

  test("is never predicted too late, whatever months lie between", () => {
    const nows = Array.from({ length: 48 }, (_, step) => NOW + (step - 8) * 1.75 * DAY);
    const tooLate: string[] = [];
    for (const operator of ["within_last", "within_next"] as const)
      for (const duration of ["P1M", "P2MT12H"]) {
        const { test: judge, nextChange } = within(operator, duration);
        for (let day = -75; day <= 75; day += 5) {
          const claim = iso(NOW + day * DAY);
          const answers = nows.map((now) => judge(claim, now));
          nows.forEach((now, at) => {
            const flip = nextChange(claim, now);
            const until = answers.filter((_, later) => later >= at && nows[later]! < flip);
            if (until.some((answer) => answer !== answers[at]))
              tooLate.push(`${operator} ${duration}, ${claim}: ${iso(now)}`);
          });
        }
      }
    expect(tooLate).toEqual([]);
  });
});

test("a claim that is no time never changes its answer, even near epoch 0", () => {
  expect(within("within_last", "P1D").nextChange("never", 0)).toBe(Number.POSITIVE_INFINITY);
});
