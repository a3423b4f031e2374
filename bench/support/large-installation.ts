import { Client } from "pg";
import { measuredDatabase } from "@/bench/support/servers/measured-database";
import { callersOf, configurationOf, STATED } from "@/bench/support/workload";
import { parseDocument } from "@/lib/config/document";
import { fillWorld, LARGE } from "@/test/support/worlds/large-world";

/** A database of the size that list figures are promised for, with the workload's groups and policies. */
export interface LargeInstallation {
  /** The environment of a server on this database. */
  readonly env: Readonly<Record<string, string>>;
  /** The cookie of a signed-in admin, as `name=value`. */
  readonly cookie: string;
  readonly stop: () => Promise<void>;
}

/** The group of all tools; a policy grants it to everyone. */
export const EVERYTHING = "everything";

/** Distinct callers of the latest calls: as many as an impact compares. */
const CALLERS = 200;
const CALLS = 2_000;

/** Fills the database: 10,000 tools in 50 sources, 100,000 calls, 101 groups (one of all tools), 1,000 policies, callers with claims. */
export async function largeInstallation(): Promise<LargeInstallation> {
  const database = await measuredDatabase();
  const client = new Client({ connectionString: database.env["DATABASE_URL"] });
  await client.connect();
  const query = async <T extends object>(sql: string, values?: unknown[]) => (await client.query<T>(sql, values)).rows;
  await fillWorld({ query }, LARGE);
  // The workload's callers hold no capability, so a tool that requires one would be hidden.
  await query("update tool set \"requiredCapabilities\" = '{}'");
  // The generated log names revisions, and the next change must come after them.
  await query("update config_state set revision = (select max(number) from revision)");
  // Imported after the environment is set.
  const { applyDocument } = await import("@/lib/store/save/config-document");
  const { seal } = await import("@/lib/store/keys/cipher");
  const { closeDatabase } = await import("@/lib/store/db/database");
  const { signIn } = await import("@/test/support/person");
  const parsed = parseDocument(rules());
  if (!parsed.ok) throw new Error(`The rules are no document: ${JSON.stringify(parsed.errors.slice(0, 3))}`);
  await applyDocument({ kind: "system", name: "bench", role: "admin" }, parsed.document);
  const { cookie } = await signIn("admin");
  await closeDatabase();
  for (const [n, claims] of callersOf(CALLERS).entries())
    await query(`insert into execution_claims (digest, at, ciphertext) values ($1, now(), $2)`, [
      `caller-${n}`,
      seal("claims", JSON.stringify(claims), `caller-${n}`),
    ]);
  await query(
    `insert into execution ("callId", instance, "requestId", at, door, issuer, subject, "claimsDigest", "toolId", source, asked,
        policies, groups, revision, mode, request)
      select 'latest-' || n, 'instance', 'request', now() - n * interval '1 second', 'rest', 'https://issuer.example',
        'user-' || n % $1, 'caller-' || n % $1, id, source, id, '{}', '{}', 1, 'full', $3::jsonb
      from generate_series(0, $2 - 1) n join (select id, source, row_number() over (order by id) as at from tool) tool on tool.at = n + 1`,
    [CALLERS, CALLS, JSON.stringify(ASKED)],
  );
  await query("vacuum analyze");
  await client.end();
  return { env: database.env, cookie, stop: database.stop };
}

/** The request of every caller in the log: all tools. */
const ASKED = {
  group: null,
  state: null,
  machine: null,
  profiles: [],
  capabilities: [],
  intent: null,
  confidence: null,
  escalated: false,
  includeDisabled: false,
};

/** The workload's groups; each selects one of the generated tags. */
function rules(): object {
  const { groups, policies } = configurationOf(STATED);
  return {
    apiVersion: "quartermaster/v1",
    issuers: [
      {
        name: "issuer",
        issuer: "https://issuer.example",
        audience: "quartermaster",
        jwksUri: "https://issuer.example/keys",
      },
    ],
    groups: [
      ...groups.map((group, n) => ({
        name: group.name,
        selectors: [{ source: "source-*", requiredTags: [`tag-${n}`] }],
      })),
      { name: EVERYTHING, selectors: [{ source: "source-*" }] },
    ],
    policies: [...policies, { name: "everyone-has-everything", everyone: true, groups: [EVERYTHING] }],
    personas: [{ name: "someone", sampleClaims: callersOf(1)[0] }],
  };
}
