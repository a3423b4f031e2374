import type { Json } from "@/lib/access/model/configuration";
import { isObject } from "@/lib/access/model/json";
import { entriesOf, listOf } from "@/lib/manifest/schema/json-schema";
import type { TryOutput } from "@/lib/contracts/log/try";

/** The problem at one place of a call's arguments; `pointer` is a JSON pointer (RFC 6901). */
export interface ArgumentProblem {
  readonly pointer: string;
  readonly message: string;
}

/** The problems of single arguments in an error (docs/reference/http.md#invalid_arguments). */
export function argumentProblems(error: TryOutput["error"]): readonly ArgumentProblem[] {
  if (error?.code !== "invalid_arguments") return [];
  const problems = Object.fromEntries(entriesOf(error.details))["problems"];
  return listOf(problems).flatMap((problem) => {
    if (!isObject(problem)) return [];
    const { pointer, message } = problem;
    return typeof pointer === "string" && typeof message === "string" ? [{ pointer, message }] : [];
  });
}

/** The problems whose value is still the one that was sent. A changed value may be right now. */
export function unchangedProblems(
  problems: readonly ArgumentProblem[],
  sent: Json,
  now: Json,
): readonly ArgumentProblem[] {
  return problems.filter(
    ({ pointer }) => JSON.stringify(valueAt(sent, pointer)) === JSON.stringify(valueAt(now, pointer)),
  );
}

export function stepsOf(pointer: string): readonly string[] {
  return pointer
    .split("/")
    .slice(1)
    .map((step) => step.replaceAll("~1", "/").replaceAll("~0", "~"));
}

function valueAt(value: Json, pointer: string): Json | undefined {
  return stepsOf(pointer).reduce<Json | undefined>((at, step) => {
    if (Array.isArray(at)) return (at as readonly Json[])[Number(step)];
    return isObject(at) && Object.hasOwn(at, step) ? at[step] : undefined;
  }, value);
}
