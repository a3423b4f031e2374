import { Client } from "pg";
import { expect, it, onTestFinished, vi } from "vitest";
import { Listener } from "@/lib/store/db/listener";
import { useDatabase } from "@/test/support/database";

const database = useDatabase();
const IN_TIME = { timeout: 10_000 };

it("a channel added to an open connection is read once at the start, because earlier notices were missed", async () => {
  const listener = new Listener(database.url);
  onTestFinished(() => listener.close());
  const standing = vi.fn<(payload: string | null) => void>();
  listener.add("standing", standing);
  await vi.waitFor(() => expect(standing).toHaveBeenCalledWith(null), IN_TIME);
  const { query } = Client.prototype;
  const asked = vi.spyOn(Client.prototype, "query");
  onTestFinished(() => asked.mockRestore());
  asked.mockImplementation(async function (this: Client, ...given: unknown[]) {
    // The notice arrives just before Postgres runs LISTEN.
    if (given[0] === "listen added") await database.query("select pg_notify('added', 'unheard')");
    return Reflect.apply(query, this, given) as unknown;
  } as never);
  const added = vi.fn<(payload: string | null) => void>();
  listener.add("added", added);
  await vi.waitFor(() => expect(added).toHaveBeenCalled(), IN_TIME);
  expect(added.mock.calls).toEqual([[null]]);
  await database.query("select pg_notify('added', 'heard')");
  await vi.waitFor(() => expect(added).toHaveBeenLastCalledWith("heard"), IN_TIME);
});
