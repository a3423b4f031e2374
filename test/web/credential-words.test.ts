import { expect, it } from "vitest";
import { agentOfRequest, credentialInWords } from "@/components/agents/credential-words";
import { accessAnswerInWords } from "@/components/requests/request-words";
import { pollWhileOpen } from "@/components/requests/use-requests";

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

it.each([
  ["an API key", { issuer: "quartermaster", subject: "night-bot" }, "night-bot", "API key"],
  ["a token of an agent", { issuer: CORP, subject: "u-1" }, "night-bot", `token of ${CORP}, subject u-1`],
  ["a token of no agent", { issuer: CORP, subject: "u-1" }, "u-1", `token of ${CORP}`],
])("says how the caller of an access request identified itself: %s", (_what, caller, asker, words) => {
  expect(credentialInWords({ ...caller, agent: agentOfRequest(caller, asker) })).toBe(words);
});

it("says to an administrator why they may answer the access request of an agent that they made", () => {
  expect(accessAnswerInWords({ mayAnswer: true, own: "agent" })).toContain("because you are an administrator");
  expect(accessAnswerInWords({ mayAnswer: false, own: "agent" })).toContain("Another person must answer");
  expect(accessAnswerInWords({ mayAnswer: true, own: null })).toBe("This caller waits for your answer.");
});

it("polls a request until another person or a job has closed it", () => {
  const polls = (status: "open" | "bypassed" | "applied") => pollWhileOpen({ state: { data: { status } } });
  expect([polls("open"), polls("bypassed"), polls("applied")]).toEqual([10_000, 10_000, false]);
});
