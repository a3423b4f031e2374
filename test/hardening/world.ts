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
/** An address for examples to fetch from, refused without any network access. */
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

/** Makes the world, again if needed: rows saved meanwhile must not affect the next requests. */
export async function restore(database: TestDatabase): Promise<void> {
  await database.query("delete from pause");
  await save(DOCUMENT);
  for (const resource of BESIDES)
    await ask(list.POST, "POST", `/api/admin/${resource}`, { params: { resource }, body: samples[resource].first });
}

/** The names of its rows by kind; calls and sessions are passed in. */
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
