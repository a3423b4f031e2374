import { expect, it } from "vitest";
import { argumentProblems, stepsOf, unchangedProblems } from "@/components/views/tools/tool-argument-problems";

const error = (code: string, details: null | object) =>
  ({ code, message: "", retryable: false, details }) as Parameters<typeof argumentProblems>[0];

it("an answer's problems are read where it has them, and nothing else is taken for one", () => {
  const problems = [{ pointer: "/a/0", message: "must be there" }];
  expect(argumentProblems(error("invalid_arguments", { problems: [...problems, { pointer: 1 }, null] }))).toEqual(
    problems,
  );
  expect(argumentProblems(error("arguments_refused", { problems }))).toEqual([]);
  expect(argumentProblems(error("invalid_arguments", null))).toEqual([]);
  expect(argumentProblems(undefined)).toEqual([]);
});

it("a problem disappears when the value at its place changes, and only then", () => {
  const problems = [
    { pointer: "/list/1", message: "is wrong" },
    { pointer: "/note", message: "is wrong" },
  ];
  const sent = { list: [1, 2], note: "x" };
  expect(unchangedProblems(problems, sent, { list: [1, 3], note: "x" })).toEqual([problems[1]]);
  expect(unchangedProblems(problems, sent, { list: [0, 2], note: "x" })).toEqual(problems);
});

it("a pointer's steps are unescaped in the right order", () => {
  expect(stepsOf("/a~1b/~01")).toEqual(["a/b", "~1"]);
  expect(stepsOf("")).toEqual([]);
});
