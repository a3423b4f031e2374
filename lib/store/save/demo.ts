import { ALWAYS_SOURCE } from "@/lib/resources/source-kinds";
import { CONFIG_SECTIONS, type ConfigSection } from "@/lib/resources/sections";
import { settingsInput } from "@/lib/resources/settings";
import { db } from "@/lib/store/db/database";
import { translateErrors } from "@/lib/store/db/translate";
import type { Change } from "@/lib/store/save/change";
import { Stored } from "@/lib/store/save/stored";
import { write, type Actor, type Written } from "@/lib/store/save/write";

/** The actor of a first start in the history. */
export const SETUP: Actor = { kind: "system", name: "setup", role: "admin" };
/** The note of the revision that loaded the demo. By it, the demo's rows are found again. */
export const DEMO_NOTE = "demo";
/** The note of older versions. */
const OLDER_DEMO_NOTE = "configuration document";

/** The number of demo rows that nobody changed or deleted. */
export async function countDemoRows(): Promise<number> {
  return translateErrors(async () => (await removalsOf(new Stored(db()))).length);
}

/**
 * Deletes the demo's rows that nobody changed, the API keys of its agents, and every tool of its sources, in one revision.
 * Demo settings that nobody changed become the defaults. The tools in code of every installation stay.
 *
 * @throws AppError `in_use` when another row names one of them
 */
export async function removeDemo(actor: Actor): Promise<Written> {
  return write(actor, removalsOf, { note: "demo removed" });
}

async function removalsOf(stored: Stored): Promise<Change[]> {
  const demo = await db().revision.findFirst({
    where: { kind: SETUP.kind, actor: SETUP.name, note: { in: [DEMO_NOTE, OLDER_DEMO_NOTE] } },
    orderBy: { number: "asc" },
    select: { number: true },
  });
  if (demo === null) return [];
  const gone = new Map<ConfigSection, string[]>();
  for (const section of CONFIG_SECTIONS) {
    const rows = [...(await stored.all(section))].filter(([, { revision }]) => revision === demo.number);
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
