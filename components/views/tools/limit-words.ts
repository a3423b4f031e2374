import { counted } from "@/components/ui/counted";
import { rateInWords } from "@/components/resource/editor/changes";
import type { CallLimits } from "@/lib/resources/parts/limits";
import type { ToolRow } from "@/lib/resources/tool";

/** Limits in words: "3 calls per minute", "100 calls a day". Empty without limits. */
export function limitsInWords({ rate, perDay, concurrency }: CallLimits): readonly string[] {
  return [
    ...(rate === null ? [] : [rateInWords(rate)]),
    ...(perDay === null ? [] : [`${counted(perDay, "call")} a day`]),
    ...(concurrency === null ? [] : [`${concurrency.toLocaleString("en")} at once`]),
  ];
}

export function toolLimitsInWords(limits: ToolRow["limits"]): readonly string[] {
  return [...limitsInWords(limits), ...limitsInWords(limits.perCaller).map((text) => `${text} for each caller`)];
}
