import { seal } from "@/lib/store/keys/cipher";
import { save } from "@/test/api/agents-world";
import type { TestDatabase } from "@/test/support/database";

/** Policies, callers, and tools that each caller used through the policy for everyone. */
export interface RightsizingWorld {
  readonly policies: number;
  readonly callers: number;
  readonly toolsEach: number;
}

/** The size that rightsizing is promised for: 1,000 policies and 1,000,000 calls. */
export const MILLION: RightsizingWorld = { policies: 1_000, callers: 1_000, toolsEach: 100 };

/** The policy that every caller uses, and the tools that nobody uses through it. */
export const SHARED = "everyone";
const UNUSED = 50;
const TOOLS = 2_000;
/** Tools that each other policy grants and its caller uses. */
const [GRANTED, USED] = [20, 10];
const DAYS = 2;

const toolId = (number: number): string => `shop:tool_${number}`;

/** Saves the rules and fills the tables of use, as the roll-up of 10 × `callers` × `toolsEach` calls leaves them. */
export async function fillRightsizing(database: Pick<TestDatabase, "query">, world: RightsizingWorld): Promise<void> {
  await save(documentOf(world));
  await database.query(`update policy set "updatedAt" = now() - interval '100 days'`);
  await database.query(`update tool set "updatedAt" = now() - interval '100 days'`);
  const claims = Array.from({ length: world.callers }, (_, number) => ({
    digest: `digest-${number}`,
    ciphertext: seal("claims", JSON.stringify({ team: `team-${number}` }), `digest-${number}`),
  }));
  await database.query(
    `insert into execution_claims (digest, at, ciphertext)
     select digest, now(), ciphertext from json_to_recordset($1) as x (digest text, ciphertext text)`,
    [JSON.stringify(claims)],
  );
  await database.query(
    `insert into usage_caller (caller, issuer, subject, agent, "claimsDigest", request, "inSession", "lastDay")
     select 'caller-' || n, 'quartermaster', 'agent-' || n, 'agent-' || n, 'digest-' || n, $2::jsonb, false, current_date
     from generate_series(0, $1 - 1) n`,
    [world.callers, JSON.stringify(REQUEST)],
  );
  // Earlier callers, of which the list reads none.
  await database.query(
    `insert into usage_caller (caller, issuer, subject, "claimsDigest", request, "inSession", "lastDay")
     select 'earlier-' || n, 'quartermaster', 'earlier-' || n, 'gone', '{}', false, current_date - 5
     from generate_series(1, 20000) n`,
  );
  const day = `(current_date - (d || ' days')::interval)::date`;
  const shared = `from generate_series(0, ${world.callers - 1}) n, generate_series(0, ${world.toolsEach - 1}) t`;
  await database.query(
    `insert into usage_day select '${SHARED}', 'shared', 'shop:tool_' || t, 'caller-' || n, current_date - 1, 8 ${shared}`,
  );
  await database.query(
    `insert into usage_day select '', '', 'shop:tool_' || t, 'caller-' || n, current_date - 1, 8 ${shared}`,
  );
  const own = `from generate_series(0, ${world.policies - 2}) n, generate_series(0, ${USED - 1}) t, generate_series(2, ${DAYS + 1}) d`;
  const tool = `'shop:tool_' || (200 + (n * ${GRANTED} + t) % 1700)`;
  for (const through of ["'policy-' || n, 'group-' || n", "'', ''"])
    await database.query(
      `insert into usage_day select ${through}, ${tool}, 'caller-' || n % ${world.callers}, ${day}, 10 ${own} on conflict do nothing`,
    );
  await database.query(
    `insert into usage_last select policy, "group", tool, max(day) from usage_day group by policy, "group", tool`,
  );
  await database.query("vacuum analyze");
}

const REQUEST = {
  agent: null,
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

function documentOf({ policies, callers, toolsEach }: RightsizingWorld): Record<string, unknown> {
  const include = (numbers: readonly number[]) => numbers.map((number) => ({ tool: toolId(number) }));
  const range = (from: number, length: number) => Array.from({ length }, (_, at) => from + at);
  const others = range(0, policies - 1);
  return {
    apiVersion: "quartermaster/v1",
    sources: [{ name: "shop", kind: "http", url: "https://shop.example" }],
    tools: range(0, TOOLS).map((number) => ({
      id: toolId(number),
      description: `Does the work of operation ${number}, and says what came of it.`,
      inputSchema: { type: "object", properties: { id: { type: "string" } } },
      groups: [],
      run: { kind: "http", method: "GET", url: `https://shop.example/things/${number}` },
    })),
    groups: [
      { name: "shared", include: include(range(0, toolsEach + UNUSED)) },
      ...others.map((n) => ({
        name: `group-${n}`,
        include: include(range(0, GRANTED).map((t) => 200 + ((n * GRANTED + t) % 1700))),
      })),
    ],
    policies: [
      { name: SHARED, everyone: true, groups: ["shared"] },
      ...others.map((n) => ({
        name: `policy-${n}`,
        matchers: [{ claim: "team", operator: "equals", value: `team-${n % callers}` }],
        groups: [`group-${n}`],
      })),
    ],
    agents: range(0, callers).map((n) => ({ name: `agent-${n}`, attributes: { team: `team-${n}` } })),
  };
}
