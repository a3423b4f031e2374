import { expect, it, vi } from "vitest";
import type { Person } from "@/lib/auth/people/user";
import { sweepLimits } from "@/lib/store/calls/limits";
import { statementsOf } from "@/test/support/statements";
import { useDatabase } from "@/test/support/database";

const database = useDatabase();
const START = Date.parse("2026-05-01T12:00:00.000Z");

function person(role: Person["role"], name = `${role}@example.com`): Person {
  return {
    actor: { kind: "user", name, role },
    role,
    userName: name,
    userId: null,
    signedInAt: null,
    hasPassword: true,
  };
}

/** Another process's view of the limit: separate modules that share only the database. */
async function process() {
  vi.resetModules();
  return (await import("@/lib/auth/people/guesses")).admitGuesses;
}

it("a person's guesses are counted over all processes, and again after a minute", async () => {
  const [one, other] = [await process(), await process()];
  const editor = person("editor");
  await one(editor, 60, START);
  await other(editor, 60, START + 1);
  await expect(one(editor, 1, START + 2)).rejects.toMatchObject({ code: "rate_limited" });
  await expect(other(editor, 1, START + 59_999)).rejects.toMatchObject({ code: "rate_limited" });
  await one(person("editor", "another@example.com"), 60, START + 2);
  await other(editor, 120, START + 60_000);
  await expect(one(editor, 1, START + 60_001)).rejects.toMatchObject({ code: "rate_limited" });
});

it("guesses at once are counted one by one", async () => {
  const [one, other] = [await process(), await process()];
  const editor = person("editor", "quick@example.com");
  const asked = await Promise.allSettled(
    Array.from({ length: 12 }, (_, at) => (at % 2 ? one : other)(editor, 20, START)),
  );
  expect(asked.filter(({ status }) => status === "fulfilled")).toHaveLength(6);
});

it("costs one statement, none for a person who may read bodies, and leaves no row behind", async () => {
  const admit = await process();
  expect(await statementsOf(() => admit(person("editor", "counted@example.com"), 1, START))).toHaveLength(1);
  expect(await statementsOf(() => admit(person("auditor"), 1000, START))).toEqual([]);
  await sweepLimits(new Date(START + 120_001));
  expect(await database.query("select key from limit_window")).toEqual([]);
});

it("is refused when the count cannot be stored", async () => {
  const admit = await process();
  await database.query("alter table limit_window rename to limit_window_gone");
  try {
    await expect(admit(person("editor"), 1, START)).rejects.toThrow(/limit_window/);
    await expect(admit(person("auditor"), 1, START)).resolves.toEqual({ coarse: false });
  } finally {
    await database.query("alter table limit_window_gone rename to limit_window");
  }
});
