import { expect, it } from "vitest";
import { credentialInWords } from "@/components/agents/credential-words";

const CORP = "https://corp.example";

it("says how a caller identified itself, and repeats no name", () => {
  expect(credentialInWords({ agent: "helper", issuer: "quartermaster", subject: "helper" })).toBe("API key");
  expect(credentialInWords({ agent: null, issuer: "quartermaster", subject: "reader" })).toBe("trial as a persona");
  expect(credentialInWords({ agent: "helper", issuer: CORP, subject: "u-1", client: null })).toBe(
    `token of ${CORP}, subject u-1`,
  );
  expect(credentialInWords({ agent: "helper", issuer: CORP, subject: "helper" })).toBe(`token of ${CORP}`);
  expect(credentialInWords({ agent: null, issuer: CORP, subject: "u-1", client: "portal" })).toBe(
    `token of ${CORP}, client portal`,
  );
});
