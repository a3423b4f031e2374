import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { parseDocument } from "@/lib/config/document";
import { AppError } from "@/lib/errors";
import { userInput } from "@/lib/resources/user";
import { apiKeys } from "@/lib/store/config/api-keys";
import { DEMO_NOTE, SETUP } from "@/lib/store/save/demo-mark";
import { openDemoRequests } from "@/lib/store/requests/demo-requests";
import { addDemoUse } from "@/lib/store/usage/demo-use";
import { bulkDb } from "@/lib/store/db/database";
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
  readonly adminPassword?: string;
  readonly apiKey?: string;
}

/** The demo's agent, which gets the first API key. */
const DEMO_AGENT = "support-bot";
const DEFAULT_EMAIL = "admin@localhost";

/**
 * Prepares a migrated database for first use: saves the shipped labels and loads the demo when the configuration was never
 * saved, adds the tools in code to the catalogue, and creates one administrator. Safe to run again, and by two processes at once.
 */
export async function setUp(options: { demo: boolean; adminEmail?: string | undefined }): Promise<SetUpResult> {
  const empty = (await currentRevision(bulkDb())) === 0;
  if (empty) await saveShippedFlow();
  if (empty && options.demo) await loadDemo();
  await syncBuiltinTools(SETUP);
  const admin = await ensureAdmin(options.adminEmail ?? DEFAULT_EMAIL);
  const apiKey = empty && options.demo ? await unlessTaken(demoKey) : null;
  return apiKey === null ? admin : { ...admin, apiKey };
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
    // Another instance that starts at the same time may have saved them.
    async (stored) => ((await stored.get("flows", TRIFECTA.name)) === null ? shipped : []),
    { note: "shipped labels and flow rule" },
  );
}

async function loadDemo(): Promise<void> {
  const text = await readFile(join(process.cwd(), "prisma/seed/demo.yaml"), "utf8");
  const parsed = parseDocument(text);
  if (!parsed.ok)
    throw new Error(`The demo is not valid:\n${parsed.errors.map((e) => `${e.path}: ${e.message}`).join("\n")}`);
  const { revision, changes } = await applyDocument(SETUP, parsed.document, { note: DEMO_NOTE });
  // Another instance that started at the same time loaded the demo.
  if (changes.length === 0) return;
  const agent = parsed.document.agents?.find(({ name }) => name === DEMO_AGENT);
  if (agent === undefined) throw new Error(`The demo has no agent \`${DEMO_AGENT}\`.`);
  const now = new Date();
  await bulkDb().$transaction((tx) => addDemoUse(tx, agent, now));
  await openDemoRequests(revision, now);
}

async function demoKey(): Promise<string> {
  const input = { name: DEMO_AGENT, agent: DEMO_AGENT, expiresAt: null, enabled: true };
  return (await apiKeys.create(SETUP, input)).key;
}

async function ensureAdmin(email: string): Promise<SetUpResult> {
  const known = await firstAdmin();
  if (known !== null) return { adminEmail: known.email };
  const input = userInput.parse({ name: "admin", email, displayName: "Administrator", role: "admin" });
  const created = await unlessTaken(() => users.create(SETUP, input));
  return created === null
    ? { adminEmail: input.email }
    : { adminEmail: created.email, adminPassword: created.password };
}

/** Runs `make`; `null` when another start created the row at the same moment. */
async function unlessTaken<T>(make: () => Promise<T>): Promise<T | null> {
  try {
    return await make();
  } catch (error) {
    if (error instanceof AppError && error.code === "conflict") return null;
    throw error;
  }
}
