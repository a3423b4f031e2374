import { expect, it } from "vitest";
import { ANSWER_RETENTION_MS, claimKey, readStoredCall, sweepStoredCalls } from "@/lib/store/calls/stored-calls";
import { useDatabase } from "@/test/support/database";

// A principal has had a client since clients sign in by themselves. What was kept for (issuer, subject) before is nobody's
// now: it expires unread.

const database = useDatabase();

const OLDER = { issuer: "https://id.example.com", subject: "ada", agent: null, client: null };
const NOW = Date.UTC(2026, 0, 1);

const claim = (callId: string, client: string | null, now: number) =>
  claimKey({ callId, principal: { ...OLDER, client }, key: "the-key", bodyDigest: "digest" }, "instance", now);
const kept = async () =>
  (await database.query(`select "callId" from kept_call order by 1`)).map(({ callId }) => callId);

it("answers kept for an older principal are read by no client, and go a day after their claim", async () => {
  expect(await claim("call_older", null, NOW)).toBeNull();
  await database.query(`update kept_call set status = 'ended'`);
  for (const client of ["desk", "phone"]) {
    expect(await readStoredCall("call_older", { ...OLDER, client })).toBeNull();
    // The same key is free for each client: its call runs, and gets no answer of another.
    expect(await claim(`call_${client}`, client, NOW + 1_000)).toBeNull();
    expect(await readStoredCall(`call_${client}`, OLDER)).toBeNull();
  }
  expect(await claim("call_again", "desk", NOW + 2_000)).toMatchObject({ callId: "call_desk" });
  await sweepStoredCalls(new Date(NOW + ANSWER_RETENTION_MS - 1));
  expect(await kept()).toEqual(["call_desk", "call_older", "call_phone"]);
  await sweepStoredCalls(new Date(NOW + ANSWER_RETENTION_MS + 1));
  expect(await kept()).toEqual(["call_desk", "call_phone"]);
});
