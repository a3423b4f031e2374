import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

// npx tsx test/jws/make-wycheproof.ts FOLDER: builds wycheproof.json from the published Wycheproof vectors in a folder
// (testvectors_v1 of C2SP/wycheproof: JSON Web Signature, Key, Crypto; Apache-2.0). Keeps keys, tokens, results and
// numbers only.

interface Published {
  readonly testGroups: readonly {
    readonly comment: string;
    readonly public?: { readonly keys?: readonly object[] };
    readonly private: { readonly keys?: readonly object[] };
    readonly tests: readonly {
      readonly tcId: number;
      readonly comment: string;
      readonly jws?: string | object;
      readonly jwe?: string | object;
      readonly result: string;
    }[];
  }[];
}

const [folder = "."] = process.argv.slice(2);
const FILES = ["json_web_signature_test", "json_web_key_test", "json_web_crypto_test"];

const groups = FILES.flatMap((file) => {
  const { testGroups } = JSON.parse(readFileSync(join(folder, `${file}.json`), "utf8")) as Published;
  return testGroups.map((group) => {
    const given = group.public ?? group.private;
    const tests = group.tests.map(({ tcId, comment, jws, jwe, result }) => {
      const token = jws ?? jwe;
      return [tcId, result, comment, typeof token === "string" ? token : JSON.stringify(token)];
    });
    return { head: { file, group: group.comment, keys: given.keys ?? [given] }, tests };
  });
});
const lines = groups.map(({ head, tests }) => {
  const inner = tests.map((one) => JSON.stringify(one)).join(",\n    ");
  return `  ${JSON.stringify(head).slice(0, -1)},"tests":[\n    ${inner}]}`;
});
writeFileSync("test/jws/wycheproof.json", `[\n${lines.join(",\n")}\n]\n`);
