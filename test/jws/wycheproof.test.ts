import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { toKeySet } from "@/lib/auth/agents/key-set";
import { isSigned } from "@/lib/auth/agents/token";
import { readSegments } from "@/lib/auth/agents/token-parts";
import { ALGORITHMS } from "@/lib/resources/issuer";

// The published Wycheproof vectors (Apache-2.0), compacted by test/jws/make-wycheproof.ts. Their payloads are no
// claims, so each passes only the checks before claims: segments, header, algorithm, key, signature.

type Vector = readonly [number: number, result: "valid" | "invalid", comment: string, token: string];
interface Group {
  readonly file: string;
  readonly group: string;
  readonly keys: readonly unknown[];
  readonly tests: readonly Vector[];
}

const groups = JSON.parse(readFileSync("test/jws/wycheproof.json", "utf8")) as Group[];
const vectors = groups.flatMap(({ tests, ...group }) => tests.map((vector) => ({ ...group, vector })));

/** Why the verifier refuses a token; `null` = it accepts the signature. */
async function refusal(token: string, keys: readonly unknown[]): Promise<string | null> {
  let parts: ReturnType<typeof readSegments>;
  try {
    parts = readSegments(token);
  } catch {
    return "form";
  }
  if (!(ALGORITHMS as readonly string[]).includes(parts.alg)) return `algorithm ${parts.alg}`;
  const key = await toKeySet(keys).find(parts.alg, parts.kid);
  if (key === null) return "key";
  return (await isSigned(token, key, parts.alg)) ? null : "signature";
}

const results = await Promise.all(
  vectors.map(async ({ file, group, keys, vector: [number, result, comment, token] }) => ({
    name: `${file} ${number} (${group}: ${comment})`,
    result,
    refusal: await refusal(token, keys),
  })),
);

/** The number of valid vectors refused by design, by check; docs/conformance.md says why. */
const EXPLAINED = { "algorithm HS256": 12, "algorithm HS384": 1, "algorithm HS512": 1, form: 10, key: 4 };

test("every vector is present: 401 of signatures, 26 of keys, 83 mixed", () => {
  const count = (file: string) => vectors.filter((one) => one.file === file).length;
  expect(["json_web_signature_test", "json_web_key_test", "json_web_crypto_test"].map(count)).toEqual([401, 26, 83]);
});

test("no invalid vector is accepted", () => {
  expect(results.filter(({ result, refusal: why }) => result === "invalid" && why === null)).toEqual([]);
});

test("docs/conformance.md has the reason for each refused valid vector", () => {
  const counts: Record<string, number> = {};
  for (const { result, refusal: why } of results)
    if (result === "valid" && why !== null) counts[why] = (counts[why] ?? 0) + 1;
  expect(counts).toEqual(EXPLAINED);
  expect(results.filter(({ result }) => result === "valid")).toHaveLength(57);
});

test.each([
  ["JSON Web Signature", "json_web_signature_test"],
  ["JSON Web Key", "json_web_key_test"],
  ["JSON Web Crypto", "json_web_crypto_test"],
])("docs/conformance.md has the counts of %s", (title, file) => {
  const counted = results.filter(({ name }) => name.startsWith(`${file} `));
  const count = (result: string, accepted?: boolean) =>
    counted.filter((one) => one.result === result && (accepted === undefined || (one.refusal === null) === accepted))
      .length;
  const row = [title, counted.length, count("invalid", true), count("valid"), count("valid", true)];
  expect(readFileSync("docs/conformance.md", "utf8")).toContain(`| ${row.join(" | ")} |`);
});
