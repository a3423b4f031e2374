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
    // RFC 9110, 11.2: a value may be a token, with spaces around the equals sign.
    ["Bearer error=insufficient_scope, scope = a", "insufficient_scope", ["a"]],
    ['BEARER\tScope\t=\t"a", scope="b"', null, ["a"]],
    // RFC 6750, 3.
    ['Bearer realm="example"', null, null],
    [
      'Bearer realm="example",\n error="invalid_token",\n error_description="The access token expired"',
      "invalid_token",
      null,
    ],
    // RFC 9110, 11.6.1, before ours; and another scheme's parameters of the same names (RFC 9449, 7.1).
    ['Basic realm="simple", Newauth realm="apps", type=1, title="Login to \\"apps\\"", Bearer error=x', "x", null],
    [
      'DPoP error="use_dpop_nonce", scope="b", Bearer error="insufficient_scope", scope="a"',
      "insufficient_scope",
      ["a"],
    ],
    ['Bearer scope="a", DPoP error="use_dpop_nonce", algs="ES256"', null, ["a"]],
    // A token68 (RFC 4559, 4.1), an empty member, and a comma within a value.
    ['Negotiate oYG0MIGxoA==, , Bearer realm="a, Basic error=b", error="c"', "c", null],
    ['Bearer error="a\\\\b", scope="c', "a\\b", null],
  ])("%s", (header, error, scopes) => {
    expect(parseBearerChallenge(header)).toMatchObject({ error, scopes });
  });

  it("of another scheme, or none, is none", () => {
    for (const header of [undefined, "", 'Basic realm="bearer"', 'DPoP scope="a"'])
      expect(parseBearerChallenge(header)).toBeNull();
  });

  it("names the metadata of the resource (RFC 9728, 5.1)", () => {
    const address = "https://resource.example.com/.well-known/oauth-protected-resource";
    expect(parseBearerChallenge(`Bearer resource_metadata="${address}"`)?.metadata).toBe(address);
    expect(parseBearerChallenge("Bearer resource_metadata=nowhere")?.metadata).toBeNull();
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
