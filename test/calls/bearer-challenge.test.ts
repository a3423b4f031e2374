import { describe, expect, it } from "vitest";
import { joinScopes, parseBearerChallenge } from "@/lib/calls/linked-accounts/challenge";

describe("a challenge of an upstream", () => {
  it.each([
    [
      'Bearer error="insufficient_scope", scope="mail:write mail:read"',
      "insufficient_scope",
      ["mail:write", "mail:read"],
    ],
    ['Basic realm="x", Bearer error="insufficient_scope",scope="a"', "insufficient_scope", ["a"]],
    ['bearer scope="a a b"', null, ["a", "b"]],
    ["Bearer", null, null],
    ['Bearer error_description="scope=\\"a\\""', null, null],
  ])("%s", (header, error, scopes) => {
    expect(parseBearerChallenge(header)).toMatchObject({ error, scopes });
  });

  it("of another scheme, or none, is none", () => {
    for (const header of [undefined, "", 'Basic realm="bearer"', 'DPoP scope="a"'])
      expect(parseBearerChallenge(header)).toBeNull();
  });

  it("leaves out what is no scope, and reads at most 50", () => {
    const many = Array.from({ length: 60 }, (_, place) => `s${place}`).join(" ");
    expect(parseBearerChallenge(`Bearer scope="${many}"`)?.scopes).toHaveLength(50);
    expect(parseBearerChallenge('Bearer scope="ü a  b"')?.scopes).toEqual(["a", "b"]);
  });
});

it("scopes are joined without repetition", () => {
  expect(joinScopes("a b", null, "", "b c")).toBe("a b c");
});
