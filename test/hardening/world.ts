import * as list from "@/app/api/admin/[resource]/route";
import { resources } from "@/lib/resources/index";
import { CONFIG_SECTIONS } from "@/lib/resources/sections";
import { save, supportDocument } from "@/test/api/agents-world";
import { samples } from "@/test/api/samples";
import type { Known } from "@/test/hardening/schema-values";
import { ask } from "@/test/support/admin";
import type { TestDatabase } from "@/test/support/database";

type Row = Readonly<Record<string, unknown>>;

/** Resources that are in no document. */
const BESIDES = ["users", "tokens", "webhooks", "api-keys"] as const;
/** Where examples would fetch from, an address that is refused without a look at any network. */
const NOWHERE: Readonly<Record<string, Row>> = {
  sources: { url: "http://127.0.0.1:1/openapi.json" },
  issuers: { jwksUri: "https://192.0.2.1/jwks" },
};

/** The support team's world, with an example of everything that a document can hold. */
const DOCUMENT = withExamples(supportDocument());

function withExamples(document: Row): Record<string, unknown> {
  const needed = Object.values(samples).flatMap(({ needs }) => needs);
  const sections = CONFIG_SECTIONS.map((section) => {
    const { id } = resources[section];
    const own = (document[section] ?? []) as readonly Row[];
    const others = needed.flatMap(([name, row]) => (name === section ? [row as Row] : []));
    const rows = [...others, { ...samples[section].first, ...NOWHERE[section] }, ...own];
    // Two may need the same row.
    return [section, [...new Map(rows.map((row) => [row[id], row])).values()]];
  });
  return { ...document, ...(Object.fromEntries(sections) as object) };
}

/** Makes the world, or makes it again: what was saved on the way must not stand in the way of the next requests. */
export async function restore(database: TestDatabase): Promise<void> {
  await database.query("delete from pause");
  await save(DOCUMENT);
  for (const resource of BESIDES)
    await ask(list.POST, "POST", `/api/admin/${resource}`, { params: { resource }, body: samples[resource].first });
}

/** The names of its rows by what they are rows of; calls and sessions are told. */
export function knownTo(calls: readonly string[], sessions: readonly string[]): Known {
  const idsOf = (rows: readonly Row[], id: string) => rows.map((row) => String(row[id]));
  const sections = CONFIG_SECTIONS.map((name) => [name, idsOf(DOCUMENT[name] as readonly Row[], resources[name].id)]);
  const besides = BESIDES.map((name) => [name, [String(samples[name].first["name"])]]);
  return {
    ...(Object.fromEntries([...sections, ...besides]) as Known),
    calls,
    sessions,
    executions: calls,
    profiles: ["main", "subagent"],
    revisions: ["1"],
    section: ["tools", "groups", "policies"],
  };
}
