import { ALWAYS_SOURCE } from "@/lib/resources/source-kinds";
import type { DemoOutput } from "@/lib/contracts/changes/demo";
import { CONFIG_SECTIONS, type ConfigSection } from "@/lib/resources/sections";
import { settingsInput } from "@/lib/resources/settings";
import { db } from "@/lib/store/db/database";
import type { Prisma } from "@/lib/store/generated/client";
import type { Change } from "@/lib/store/save/change";
import { Stored } from "@/lib/store/save/stored";
import { DEMO, DEMO_NOTE, SETUP } from "@/lib/store/save/demo-mark";
import { countDemoRequests, withdrawDemoRequests } from "@/lib/store/requests/demo-requests";
import { DEMO_CALLER, removeDemoUse } from "@/lib/store/usage/demo-use";
import { write, type Actor, type Written } from "@/lib/store/save/write";

/** The note of older versions. */
const OLDER_DEMO_NOTE = "configuration document";

/** How much of the demo is left: see `demoOutput`. */
export async function countDemo(): Promise<DemoOutput> {
  const objects = (await removalsOf(new Stored(db()))).length;
  const use = await db().usageCaller.count({ where: { caller: DEMO_CALLER } });
  return { objects, rows: objects + (await countDemoRequests()) + use };
}

/**
 * Deletes the demo's rows that nobody changed, the API keys of its agents, and every tool of its sources, in one revision.
 * Deletes its made-up use and withdraws its open requests, also when the rows wait for a second person. Demo settings that
 * nobody changed become the defaults. The tools in code of every installation stay.
 *
 * @throws AppError `in_use` when another row names one of them
 */
export async function removeDemo(actor: Actor): Promise<Written> {
  const cleanUp = async (tx: Prisma.TransactionClient) => {
    await removeDemoUse(tx);
    await withdrawDemoRequests(tx, actor, new Date());
  };
  return write(actor, removalsOf, { note: "demo removed", onHeld: cleanUp, onSaved: cleanUp });
}

async function removalsOf(stored: Stored): Promise<Change[]> {
  const demo = await db().revision.findFirst({
    where: { kind: SETUP.kind, actor: SETUP.name, note: { in: [DEMO_NOTE, OLDER_DEMO_NOTE] } },
    orderBy: { number: "asc" },
    select: { number: true },
  });
  if (demo === null) return [];
  const approved = await db().request.findMany({
    where: { kind: "change", askerKind: DEMO.kind, asker: DEMO.name, revision: { not: null } },
    select: { revision: true },
  });
  const revisions = new Set([demo.number, ...approved.map(({ revision }) => revision)]);
  const gone = new Map<ConfigSection, string[]>();
  for (const section of CONFIG_SECTIONS) {
    const rows = [...(await stored.all(section))].filter(([, { revision }]) => revisions.has(revision));
    gone.set(
      section,
      rows.map(([id]) => id),
    );
  }
  const sources = new Set((gone.get("sources") ?? []).filter((name) => name !== ALWAYS_SOURCE));
  const tools = [...(await stored.all("tools")).values()].filter(({ source }) => sources.has(source));
  const agents = new Set(gone.get("agents"));
  const keys = [...(await stored.all("api-keys")).values()].filter(({ agent }) => agents.has(agent));
  const settings = await stored.get("settings", "settings");
  const deletions = [
    ...[...gone]
      .filter(([section]) => section !== "tools" && section !== "sources")
      .flatMap(([resource, ids]) => ids.map((id) => ({ resource, action: "delete", id }))),
    ...[...sources].map((id) => ({ resource: "sources", action: "delete", id })),
    ...tools.map(({ id }) => ({ resource: "tools", action: "delete", id })),
    ...keys.map(({ name }) => ({ resource: "api-keys", action: "delete", id: name })),
  ] as Change[];
  if (settings?.revision !== demo.number || deletions.length === 0) return deletions;
  const after = { name: "settings", value: settingsInput.parse({}) } as const;
  return [...deletions, { resource: "settings", action: "update", id: "settings", after }];
}
