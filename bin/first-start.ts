import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { parseDocument } from "@/lib/config/document";
import { AppError } from "@/lib/errors";
import { userInput } from "@/lib/resources/user";
import { apiKeys } from "@/lib/store/config/api-keys";
import { DEMO_NOTE, SETUP } from "@/lib/store/save/demo-mark";
import { openDemoRequests } from "@/lib/store/requests/demo-requests";
import { addDemoUse, DEMO_CALLER } from "@/lib/store/usage/demo-use";
import { bulkDb } from "@/lib/store/db/database";
import type { Prisma } from "@/lib/store/generated/client";
import { applyDocument } from "@/lib/store/save/config-document";
import { firstAdmin, users } from "@/lib/store/config/users";
import { currentRevision } from "@/lib/store/snapshot/load";
import { syncBuiltinTools } from "@/lib/calls/builtin/sync-builtin";
import { SHIPPED_LABELS, TRIFECTA } from "@/lib/resources/shipped-flow";
import type { Change } from "@/lib/store/save/change";
import { write } from "@/lib/store/save/write";

/** What `setUp` created. The password and the API key are stored only as hashes. */
interface SetUpResult {
  readonly adminEmail: string;
  /** Whether this administrator signs in with OpenID and has no password here. */
  readonly usesOpenId?: boolean;
  readonly adminPassword?: string;
  readonly apiKey?: string;
}

/** The demo's agent, which gets the first API key. */
const DEMO_AGENT = "support-bot";
const DEFAULT_EMAIL = "admin@localhost";

/** Milliseconds for a first start, and for the wait until another process has ended its own. */
const START_MS = 5 * 60_000;
/** Milliseconds between two tries to get the lock. */
const LOCK_RETRY_MS = 200;

/**
 * Prepares a migrated database for first use: saves the shipped labels and loads the demo when the configuration was never
 * saved, adds the tools in code to the catalogue, and creates one administrator. Safe to run again, and by two processes at
 * once. The next run finishes one that was cut short, because the administrator is created last.
 */
export async function setUp(options: { demo: boolean; adminEmail?: string | undefined }): Promise<SetUpResult> {
  let made: SetUpResult | null = null;
  return bulkDb()
    .$transaction(
      async (tx) => {
        await waitForLock(tx);
        return (made = await setUpNow(options));
      },
      { timeout: START_MS },
    )
    .catch((error: unknown) => {
      // The transaction only holds the lock. What was made is stored, although the lock was lost before its end.
      if (made === null) throw error;
      return made;
    });
}

/** Waits while another process makes a first start. Asks again and again, because one statement may wait for 30 s only. */
async function waitForLock(tx: Prisma.TransactionClient): Promise<void> {
  for (;;) {
    const [row] = await tx.$queryRaw<{ mine: boolean }[]>`
      SELECT pg_try_advisory_xact_lock(hashtext('first start')) AS mine`;
    if (row?.mine === true) break;
    await delay(LOCK_RETRY_MS);
  }
  // The lock's connection has nothing to do until the first start has ended.
  await tx.$executeRaw`SET LOCAL idle_in_transaction_session_timeout = 0`;
}

async function setUpNow(options: { demo: boolean; adminEmail?: string | undefined }): Promise<SetUpResult> {
  const isFirst = await isFirstStart();
  if (isFirst) await saveShippedFlow();
  if (isFirst && options.demo) await loadDemo();
  await syncBuiltinTools(SETUP);
  const apiKey = isFirst && options.demo ? await demoKey() : null;
  const admin = await ensureAdmin(options.adminEmail ?? DEFAULT_EMAIL);
  return apiKey === null ? admin : { ...admin, apiKey };
}

/** Whether nobody but an unfinished first start has saved anything. */
async function isFirstStart(): Promise<boolean> {
  if ((await currentRevision(bulkDb())) === 0) return true;
  if ((await firstAdmin()) !== null) return false;
  const others = { NOT: { kind: SETUP.kind, actor: SETUP.name } };
  return (await bulkDb().revision.count({ where: others })) === 0;
}

/**
 * Saves the shipped labels and their inactive rule. Only for a configuration that was never saved, so that a row that an
 * admin deleted stays deleted. A migration adds them to older installations.
 */
async function saveShippedFlow(): Promise<void> {
  const shipped: readonly Change[] = [
    ...SHIPPED_LABELS.map((after): Change => ({ resource: "labels", action: "create", after })),
    { resource: "flows", action: "create", after: TRIFECTA },
  ];
  await write(
    SETUP,
    // A start that was cut short may have saved them.
    async (stored) => ((await stored.get("flows", TRIFECTA.name)) === null ? shipped : []),
    { note: "shipped labels and flow rule" },
  );
}

async function loadDemo(): Promise<void> {
  const text = await readFile(join(process.cwd(), "prisma/seed/demo.yaml"), "utf8");
  const parsed = parseDocument(text);
  if (!parsed.ok)
    throw new Error(`The demo is not valid:\n${parsed.errors.map((e) => `${e.path}: ${e.message}`).join("\n")}`);
  const { revision } = await applyDocument(SETUP, parsed.document, { note: DEMO_NOTE });
  const agent = parsed.document.agents?.find(({ name }) => name === DEMO_AGENT);
  if (agent === undefined) throw new Error(`The demo has no agent \`${DEMO_AGENT}\`.`);
  const now = new Date();
  const hasUse = (await bulkDb().usageCaller.count({ where: { caller: DEMO_CALLER } })) > 0;
  if (!hasUse) await bulkDb().$transaction((tx) => addDemoUse(tx, agent, now));
  await openDemoRequests(revision, now);
}

async function demoKey(): Promise<string> {
  // A start that was cut short showed its key to nobody.
  const unseen = await bulkDb().apiKey.findUnique({ where: { name: DEMO_AGENT }, select: { revision: true } });
  if (unseen !== null) await apiKeys.remove(SETUP, DEMO_AGENT, unseen.revision);
  const input = { name: DEMO_AGENT, agent: DEMO_AGENT, expiresAt: null, enabled: true };
  return (await apiKeys.create(SETUP, input)).key;
}

async function ensureAdmin(email: string): Promise<SetUpResult> {
  const known = await firstAdmin();
  if (known !== null) return { adminEmail: known.email, ...(known.issuer !== null && { usesOpenId: true }) };
  const input = userInput.parse({ name: "admin", email, displayName: "Administrator", role: "admin" });
  try {
    const created = await users.create(SETUP, input);
    return { adminEmail: created.email, adminPassword: created.password };
  } catch (error) {
    // A person of this name or address exists, and is no enabled administrator.
    if (error instanceof AppError && error.code === "conflict") return { adminEmail: input.email };
    throw error;
  }
}
