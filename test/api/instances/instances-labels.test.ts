import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { of, type Remote } from "@/test/api/instances-world";
import { startShopInstances, type ShopInstances } from "@/test/api/instances/shop-instances";
import { useDatabase } from "@/test/support/database";

// Labels over three real processes on one database, each over a separate proxy (docs/reference/decision.md#flow).

vi.setConfig({ testTimeout: 90_000 });
const database = useDatabase();

const FLOWS: Readonly<Record<string, object>> = {
  "shop:ask": { raises: ["private"] },
  "shop:replace": { raises: ["untrusted"] },
  "shop:order": { is: ["outward"] },
};
const [MAIL, PAGE, SEND] = [of("ask"), of("replace"), of("order")];

let { instances, readers, close } = {} as ShopInstances;

beforeAll(async () => {
  ({ instances, readers, close } = await startShopInstances(database.url, (document) => ({
    ...document,
    tools: document.tools.map((tool) => ({ ...tool, flow: FLOWS[tool.id] ?? {} })),
    labels: ["private", "untrusted"].map((name) => ({ name, scope: "caller", holdMinutes: 60 })),
    flows: [{ name: "trifecta", when: ["private", "untrusted"], restrict: [{ is: "outward" }] }],
  })));
});
beforeEach(() => database.query("delete from held_label"));
afterAll(() => close());

const statusOf = async (reader: Remote, body: object) => (await reader.call(body)).json.status;
/** Three processes in every order, also the same one more than once. */
const inEveryOrder = () =>
  readers.flatMap((first) => readers.flatMap((second) => readers.map((third) => [first, second, third] as const)));

/** Makes calls at once, in turn through each of the processes. */
async function raceThrough(through: readonly Remote[], bodies: readonly object[]) {
  return Promise.all(bodies.flatMap((body, n) => through[n % through.length]?.call(body) ?? []));
}

describe("a label that is raised through one process", () => {
  it("restricts the next call through any other, always, and in any order", async () => {
    for (const [first, second, third] of inEveryOrder()) {
      await database.query("delete from held_label");
      expect(await statusOf(first, MAIL)).toBe("succeeded");
      expect(await statusOf(third, SEND)).toBe("succeeded");
      expect(await statusOf(second, PAGE)).toBe("succeeded");
      expect(await statusOf(third, SEND)).toBe("denied");
      const listed = (await third.list()).json.data.map(({ tool_id }) => tool_id);
      expect(listed).not.toContain(SEND.tool_id);
    }
  });

  it("also does while no notice reaches the other process", async () => {
    const { wire } = instances.all[1];
    wire.hush("quartermaster-listen");
    try {
      for (let round = 0; round < 5; round += 1) {
        await database.query("delete from held_label");
        await statusOf(readers[0], MAIL);
        await statusOf(readers[2], PAGE);
        expect(await statusOf(readers[1], SEND)).toBe("denied");
      }
    } finally {
      wire.mend();
    }
  });
});

describe("64 calls of one caller through three processes at once", () => {
  it("raise labels without a deadlock, and leave one row of each", async () => {
    const bodies = Array.from({ length: 64 }, (_, n) => (n % 2 === 0 ? MAIL : PAGE));
    const answers = await raceThrough(readers, bodies);
    expect(answers).toHaveLength(64);
    expect(answers.flatMap(({ json }) => json.error ?? [])).toEqual([]);
    const rows = await database.query("select label from held_label order by label");
    expect(rows).toEqual([{ label: "private" }, { label: "untrusted" }]);
  });

  it("let nothing out after the calls that read have answered", async () => {
    for (let round = 0; round < 4; round += 1) {
      await database.query("delete from held_label");
      await raceThrough(readers, [MAIL, PAGE, MAIL]);
      const sends = Array.from({ length: 16 }, () => SEND);
      const answers = await raceThrough(readers, sends);
      expect(new Set(answers.map(({ json }) => json.status))).toEqual(new Set(["denied"]));
    }
  });
});
