import type { CheckReport, CheckResult } from "@/bin/commands/doctor/check-report";
import { checkKeys } from "@/bin/commands/doctor/check-keys";
import { checkLinkedAccounts } from "@/bin/commands/doctor/check-linked-accounts";
import { checkSignIn } from "@/bin/commands/doctor/check-sign-in";
import { CHECK_DATABASE, reasonOf } from "@/bin/commands/no-answer";
import { CommandProblem, type Output } from "@/bin/commands/output";
import { readOptions } from "@/bin/commands/read-options";
import { ownRoot } from "@/bin/commands/own-root";
import { MIGRATE } from "@/bin/commands/require-tables";
import { messageOf } from "@/lib/errors";
import { migrationNames } from "@/lib/server/migration-names";
import { checkpointStores } from "@/lib/audit/seal/checkpoint";
import { readSealStatus } from "@/lib/audit/seal/status";
import { fetchKeySet } from "@/lib/auth/agents/issuer-keys";
import { toKeySet } from "@/lib/auth/agents/key-set";
import { outbound } from "@/lib/outbound/fetch";
import { logSession } from "@/lib/store/db/log-session";
import { mayUndoRole } from "@/lib/store/audit/seals";
import { db } from "@/lib/store/db/database";
import { issuers } from "@/lib/store/config/issuers";
import { isMigrated } from "@/lib/store/db/migrations";
import { countSealed } from "@/lib/store/keys/reseal";

/** The oldest Postgres that is tested. */
const OLDEST_POSTGRES = 15;
/**
 * Limits in milliseconds for the quickest of several database answers. A tool call makes several queries and gives up
 * when one of them takes longer than 1.6 s (docs/operations.md).
 */
const ANSWER_MS = { warning: 100, problem: 900 } as const;
/** Queries per measurement; the quickest counts, because a busy machine can delay any one of them. */
const QUESTIONS = 5;
/** The most unusable keys of one issuer that are listed by name. */
const MAX_KEYS = 3;
/** Seconds that this clock may differ from the database's; tokens are accepted within 30 (docs/reference/promises.md#tokens). */
const CLOCK = { warning: 2, problem: 20 } as const;
/** Seconds after which an unsealed row is a problem: sealing takes at most five (docs/reference/promises.md#log). */
const UNSEALED_SECONDS = 60;

const CHECKS: Readonly<Record<string, () => Promise<readonly CheckResult[]>>> = {
  speed: checkSpeed,
  migrations: checkMigrations,
  clock: checkClock,
  secrets: checkSecrets,
  keys: checkKeys,
  issuers: checkIssuers,
  "sign-in": checkSignIn,
  "linked-accounts": checkLinkedAccounts,
  seals: checkSeals,
  processes: checkProcesses,
};

/**
 * `doctor [--json]`: checks what an installation needs and says how to mend it. Changes nothing. Answers 1 when
 * a check finds a problem.
 */
export async function doctorCommand(args: readonly string[], output: Output): Promise<number> {
  const { values, positionals } = readOptions(args, { json: { type: "boolean", default: false } });
  if (positionals.length > 0) throw new CommandProblem("Usage: npx quartermaster doctor");
  const findings = await examine();
  output.out(values.json ? JSON.stringify(findings) : findings.map(inWords).join("\n"));
  return findings.some(({ state }) => state === "problem") ? 1 : 0;
}

/** Without a database and our tables in it, the other checks cannot run. */
async function examine(): Promise<CheckReport[]> {
  const database = await runCheck("database", checkDatabase);
  if (database.some(({ state }) => state === "problem")) return database;
  if (!(await isMigrated()))
    return [
      ...database,
      { check: "migrations", state: "problem", says: "The database has no Quartermaster tables.", todo: MIGRATE },
    ];
  const rest: CheckReport[] = [];
  for (const [check, run] of Object.entries(CHECKS)) rest.push(...(await runCheck(check, run)));
  return [...database, ...rest];
}

/** A check that fails to run counts as a problem. */
async function runCheck(check: string, run: () => Promise<readonly CheckResult[]>): Promise<CheckReport[]> {
  try {
    return (await run()).map((result) => ({ check, ...result }));
  } catch (error) {
    const says = `The check failed: ${firstLine(reasonOf(error))}`;
    return [{ check, state: "problem", says, todo: TODO[check] ?? "Check the server log." }];
  }
}

const CHECK_PLACE = "Check CHECKPOINT_FILE or CHECKPOINT_URL.";
const TODO: Readonly<Record<string, string>> = {
  database: CHECK_DATABASE,
  migrations: MIGRATE,
  seals: CHECK_PLACE,
};

function firstLine(message: string): string {
  return message.trim().split("\n").at(-1) ?? "";
}

function inWords({ check, state, says, todo }: CheckReport): string {
  const mark = { ok: "ok     ", warning: "note   ", problem: "PROBLEM" }[state];
  const line = `${mark} ${check.padEnd(11)} ${says}`;
  return todo === undefined ? line : `${line}\n${" ".repeat(20)}→ ${todo}`;
}

async function checkDatabase(): Promise<CheckResult[]> {
  const [row] = await db().$queryRaw<{ number: number; version: string }[]>`
    SELECT current_setting('server_version_num')::int AS number, current_setting('server_version') AS version`;
  const { number = 0, version = "?" } = row ?? {};
  const says = `PostgreSQL ${version}.`;
  if (number >= OLDEST_POSTGRES * 10_000) return [{ state: "ok", says }];
  return [{ state: "problem", says, todo: `Upgrade to PostgreSQL ${OLDEST_POSTGRES} or newer.` }];
}

async function checkSpeed(): Promise<CheckResult[]> {
  let quickest = Number.POSITIVE_INFINITY;
  for (let attempt = 0; attempt < QUESTIONS; attempt += 1) {
    const started = performance.now();
    await db().$queryRaw`SELECT 1`;
    quickest = Math.min(quickest, performance.now() - started);
  }
  const says = `The database answers in ${quickest.toFixed(1)} ms.`;
  if (quickest < ANSWER_MS.warning) return [{ state: "ok", says }];
  const todo =
    "Check the load of the database and the network. Each call waits for several queries. If one takes 1.6 s, the call fails with 503.";
  return [{ state: quickest < ANSWER_MS.problem ? "warning" : "problem", says, todo }];
}

async function checkMigrations(): Promise<CheckResult[]> {
  const known = migrationNames(ownRoot());
  const rows = await db().$queryRaw<{ name: string; finished: boolean }[]>`
    SELECT migration_name AS name, finished_at IS NOT NULL AS finished FROM _prisma_migrations WHERE rolled_back_at IS NULL`;
  const applied = new Set(rows.filter(({ finished }) => finished).map(({ name }) => name));
  const failed = rows.filter(({ finished }) => !finished).map(({ name }) => name);
  const missing = known.filter((name) => !applied.has(name));
  const ahead = [...applied].filter((name) => !known.includes(name));
  const results: CheckResult[] = [];
  if (failed.length > 0)
    results.push({ state: "problem", says: `Migrations that did not finish: ${failed.join(", ")}.`, todo: MIGRATE });
  else if (missing.length > 0)
    results.push({ state: "problem", says: `The database lacks ${missing.join(", ")}.`, todo: MIGRATE });
  if (ahead.length > 0)
    results.push({
      state: "warning",
      says: `The database has ${ahead.length} migrations that this version does not know, up to ${ahead.toSorted().at(-1)}.`,
      todo: "This is normal during an update. Otherwise update this machine.",
    });
  return results.length > 0 ? results : [{ state: "ok", says: `All ${known.length} migrations are applied.` }];
}

async function checkClock(): Promise<CheckResult[]> {
  const before = Date.now();
  const [row] = await db().$queryRaw<{ now: Date }[]>`SELECT clock_timestamp() AS now`;
  const here = (before + Date.now()) / 2;
  const seconds = Math.abs((row?.now.getTime() ?? 0) - here) / 1000;
  const says = `The clocks of this machine and the database differ by ${seconds.toFixed(1)} s.`;
  if (seconds < CLOCK.warning) return [{ state: "ok", says }];
  const todo = "Synchronize both clocks with NTP. Tokens, keys and sessions expire by these clocks.";
  return [{ state: seconds < CLOCK.problem ? "warning" : "problem", says, todo }];
}

async function checkSecrets(): Promise<CheckResult[]> {
  const kinds = await countSealed();
  const unreadable = kinds.filter(({ foreign }) => foreign > 0).map(({ what, foreign }) => `${foreign} ${what}`);
  const older = kinds.reduce((sum, kind) => sum + kind.older, 0);
  if (unreadable.length > 0)
    return [
      {
        state: "problem",
        says: `Encrypted with an unknown MASTER_KEY: ${unreadable.join(", ")}.`,
        todo: "Add that key to MASTER_KEY_PREVIOUS, or set those secrets again.",
      },
    ];
  if (older > 0)
    return [
      {
        state: "warning",
        says: `${older} values are still encrypted with a key of MASTER_KEY_PREVIOUS.`,
        todo: "Run `npx quartermaster rotate-key`, then remove that key.",
      },
    ];
  const all = kinds.reduce((sum, kind) => sum + kind.present, 0);
  return [{ state: "ok", says: `MASTER_KEY decrypts all ${all} encrypted values.` }];
}

async function checkIssuers(): Promise<CheckResult[]> {
  const { items } = await issuers.list({ limit: 200 });
  const enabled = items.filter(({ enabled: is }) => is);
  if (enabled.length === 0) return [{ state: "ok", says: "No issuers. Agents use API keys." }];
  return Promise.all(
    enabled.map(async ({ name, jwks, jwksUri }): Promise<CheckResult> => {
      try {
        const keys = jwksUri === null ? toKeySet(jwks?.keys ?? []) : await fetchKeySet(outbound, jwksUri);
        const from = jwksUri === null ? "stored with the issuer" : `at ${jwksUri}`;
        const { usable, described } = keys;
        if (usable > 0)
          return { state: "ok", says: `${name}: ${usable} usable ${usable === 1 ? "key" : "keys"} ${from}.` };
        return {
          state: "problem",
          says: [`${name}: no usable key ${from}`, ...described.slice(0, MAX_KEYS)].join("; ").concat("."),
          todo: "Tokens of this issuer are refused. Correct its keys under Issuers.",
        };
      } catch (error) {
        const why = messageOf(error);
        return {
          state: "problem",
          says: `${name}: its keys cannot be fetched from ${jwksUri}: ${why}`,
          todo: "Cached keys work for at most one hour. After that, tokens of this issuer are refused.",
        };
      }
    }),
  );
}

async function checkSeals(): Promise<CheckResult[]> {
  const { last, unsealed, oldestUnsealedAt, checkpoint, protection } = await readSealStatus();
  const waits = oldestUnsealedAt === null ? 0 : (Date.now() - Date.parse(oldestUnsealedAt)) / 1000;
  const results: CheckResult[] = [];
  if (waits > UNSEALED_SECONDS)
    results.push({
      state: "problem",
      says: `${unsealed} rows of the log are not sealed, the oldest for ${Math.round(waits)} s.`,
      todo: "A running server seals them. Start a server, or check its log for problems with sealing.",
    });
  else
    results.push({
      state: "ok",
      says: last === null ? "Nothing is logged yet." : `Sealed up to seal ${last.number} of ${last.at}.`,
    });
  if (checkpointStores().length === 0)
    results.push({
      state: "warning",
      says: "There is no checkpoint store, so a rollback of the whole database would not be detected.",
      todo: "Set CHECKPOINT_FILE or CHECKPOINT_URL (docs/audit.md).",
    });
  else if (checkpoint === null && last !== null)
    results.push({ state: "warning", says: "The checkpoint store contains no checkpoint yet.", todo: CHECK_PLACE });
  return [...results, await checkLogin(protection)];
}

/** What the login of gateway and app could do to the log. */
async function checkLogin(protection: "role" | "triggers"): Promise<CheckResult> {
  const todo = "Use a login that is a member of quartermaster_app only (docs/audit.md, The database role).";
  if (protection === "triggers")
    return {
      state: "warning",
      says: "Only triggers keep the app from changing the log, because its database user cannot create roles.",
      todo: "Grant the role quartermaster_app to this user (docs/audit.md, The database role).",
    };
  if (await logSession("read", mayUndoRole))
    return { state: "warning", says: "The app's database login can change the log after RESET ROLE.", todo };
  return { state: "ok", says: "The app's database login can add rows to the log, but cannot change rows." };
}

async function checkProcesses(): Promise<CheckResult[]> {
  const rows = await db().$queryRaw<{ id: string }[]>`
    SELECT id FROM instance WHERE "seenAt" > now() - interval '30 seconds'`;
  if (rows.length > 0)
    return [{ state: "ok", says: `${rows.length} ${rows.length === 1 ? "process is" : "processes are"} running.` }];
  return [{ state: "warning", says: "No server runs on this database.", todo: "Run `npm start`." }];
}
