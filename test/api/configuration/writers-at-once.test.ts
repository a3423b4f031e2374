import { Client } from "pg";
import { beforeAll, expect, it, onTestFinished, vi } from "vitest";
import { approveDrift } from "@/lib/sources/drift/decide-drift";
import { apiKeyInput, apiKeyRotation } from "@/lib/resources/api-key";
import { groupInput } from "@/lib/resources/group";
import { EVENT_TYPES } from "@/lib/resources/parts/webhook-events";
import { tokenInput } from "@/lib/resources/token";
import { userInput } from "@/lib/resources/user";
import { webhookInput } from "@/lib/resources/webhook";
import { apiKeys, rotateApiKey } from "@/lib/store/config/api-keys";
import { groups } from "@/lib/store/config/groups";
import { setSecret } from "@/lib/store/config/secrets";
import { readSettings, saveSettings } from "@/lib/store/config/settings";
import { users } from "@/lib/store/config/users";
import { rotateWebhook, webhooks } from "@/lib/store/config/webhooks";
import { db, forPerson } from "@/lib/store/db/database";
import { tokens } from "@/lib/store/people/tokens";
import { write } from "@/lib/store/save/write";
import { ADMIN, save, supportDocument } from "@/test/api/agents-world";
import { useDatabase } from "@/test/support/database";

const database = useDatabase();
/** Of the pool for people's requests. */
const CONNECTIONS = 4;
const MENU = groupInput.parse({ name: "menu" });
const KEY = apiKeyInput.parse({ name: "k1", agent: "reader" });
const HOOK = webhookInput.parse({ name: "hook", url: "https://hooks.example", events: [EVENT_TYPES[0]] });
const EVE = userInput.parse({ name: "eve", email: "eve@example.com", role: "auditor" });
const TOKEN = tokenInput.parse({ name: "ci", role: "auditor" });

beforeAll(() => save(supportDocument()));

it("a save reads everything over its own connection, so waiting saves may hold all others", async () => {
  const first = new Client({ connectionString: database.url });
  await first.connect();
  onTestFinished(() => first.end());
  await first.query("begin; select 1 from config_state for update");
  const waiting = async () =>
    (
      await database.query(
        "select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
      )
    ).length;
  const nothingWaits = approveDrift(ADMIN, [{ id: "support:get_order", hash: "0".repeat(64) }]).catch(
    (error: unknown) => error,
  );
  await vi.waitFor(async () => expect(await waiting()).toBe(1), { timeout: 5_000 });
  const others = [1, 2, 3].map(() => write(ADMIN, () => []));
  await vi.waitFor(async () => expect(await waiting()).toBe(4), { timeout: 5_000 });
  await first.query("commit");
  expect(await nothingWaits).toMatchObject({ code: "not_found" });
  await Promise.all(others);
});

/** Saves whose answer says what they saved, each with a save of the same row that follows. */
const SAVES: Readonly<
  Record<string, () => Promise<{ first: () => Promise<unknown>; next: () => Promise<unknown>; saved: object }>>
> = {
  "a row": async () => {
    await groups.create(ADMIN, MENU);
    const put = (description: string) => () => groups.replace(ADMIN, "menu", { ...MENU, description }, "*");
    return { first: put("one"), next: put("two"), saved: { description: "one" } };
  },
  "the settings": async () => {
    const { settings, version } = await readSettings();
    const put = (high: number, ifMatch: number) => () =>
      saveSettings(ADMIN, { ...settings, routing: { ...settings.routing, high } }, ifMatch);
    await put(0.9, version)();
    const before = (await readSettings()).version;
    const saved = { settings: { routing: { high: 0.91 } }, version: before + 1 };
    return { first: put(0.91, before), next: put(0.92, before + 1), saved };
  },
  "a secret": async () => {
    const put = (origin: string) => () => setSecret(ADMIN, "crm", { value: "a-value", origins: [origin] });
    const [one, two] = ["https://first.example", "https://second.example"];
    return { first: put(one), next: put(two), saved: { origins: [one] } };
  },
  "a new API key": async () => ({
    first: () => apiKeys.create(ADMIN, KEY),
    next: () => apiKeys.replace(ADMIN, KEY.name, { ...KEY, enabled: false }, "*"),
    saved: { enabled: true, key: expect.any(String) },
  }),
  "the rotation of an API key that is renamed": async () => {
    const key = { ...KEY, name: "rotated" };
    await apiKeys.create(ADMIN, key);
    return {
      first: () => rotateApiKey(ADMIN, key.name, apiKeyRotation.parse({ overlapHours: 0 })),
      next: () => apiKeys.replace(ADMIN, key.name, { ...key, name: "renamed" }, "*"),
      saved: { name: key.name, key: expect.any(String) },
    };
  },
  "a new webhook": async () => ({
    first: () => webhooks.create(ADMIN, HOOK),
    next: () => webhooks.replace(ADMIN, HOOK.name, { ...HOOK, active: false }, "*"),
    saved: { active: true, secret: expect.any(String) },
  }),
  "the rotation of a webhook that is deleted": async () => {
    const hook = { ...HOOK, name: "rotated" };
    await webhooks.create(ADMIN, hook);
    return {
      first: () => rotateWebhook(ADMIN, hook.name),
      next: () => webhooks.remove(ADMIN, hook.name),
      saved: { name: hook.name, secret: expect.any(String) },
    };
  },
  "a new user": async () => ({
    first: () => users.create(ADMIN, EVE),
    next: () => users.replace(ADMIN, EVE.name, { ...EVE, displayName: "second" }, "*"),
    saved: { displayName: "", password: expect.any(String) },
  }),
  "a new access token": async () => ({
    first: () => tokens.create(ADMIN, TOKEN),
    next: () => tokens.remove(ADMIN, TOKEN.name),
    saved: { name: TOKEN.name, token: expect.any(String) },
  }),
};

it.each(Object.keys(SAVES))(
  "the save of %s is answered with what it saved, although another save follows",
  async (of) => {
    const [writer, readers] = [
      new Client({ connectionString: database.url }),
      new Client({ connectionString: database.url }),
    ];
    await Promise.all([writer.connect(), readers.connect()]);
    onTestFinished(async () => void (await Promise.all([writer.end(), readers.end()])));
    const { first, next, saved } = await SAVES[of]!();
    const waiting = (event: string) => async () =>
      (
        await database.query(
          `select 1 from pg_stat_activity where wait_event ${event} and datname = current_database()`,
        )
      ).length;
    const until = (count: number, read: () => Promise<number>) =>
      vi.waitFor(async () => expect(await read()).toBe(count), { timeout: 5_000 });
    const revision = async () =>
      (await database.query<{ revision: number }>("select revision from config_state"))[0]?.revision ?? 0;
    const before = await revision();
    await writer.query("begin; select 1 from config_state for update");
    const answer = forPerson(first);
    await until(1, waiting("in ('transactionid', 'tuple')"));
    const following = forPerson(next);
    await until(2, waiting("in ('transactionid', 'tuple')"));
    // No read outside the saves gets a connection.
    await readers.query("select pg_advisory_lock(7)");
    const reads = Array.from({ length: CONNECTIONS }, () =>
      forPerson(async () => db().$queryRaw`select pg_advisory_xact_lock_shared(7)::text`),
    );
    await until(CONNECTIONS, waiting("= 'advisory'"));
    await writer.query("commit");
    await until(before + 2, revision);
    await readers.query("select pg_advisory_unlock(7)");
    expect(await answer).toMatchObject(saved);
    await Promise.all([following, ...reads]);
  },
);
