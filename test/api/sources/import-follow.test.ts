import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import * as events from "@/app/api/admin/imports/[id]/events/route";
import { createImportJob } from "@/lib/store/sources/import-jobs";
import { useDatabase } from "@/test/support/database";
import { signIn } from "@/test/support/person";

const database = useDatabase();

/** Follows an import that runs, and what it says until `meanwhile` is done, and after. */
async function follow(meanwhile: (id: string) => Promise<unknown>): Promise<string> {
  const id = randomUUID();
  await createImportJob({ id, source: "followed", url: null, auth: null, createdBy: "somebody" }, new Date());
  const request = new Request(`http://127.0.0.1:3000/api/admin/imports/${id}/events`, {
    headers: await signIn("editor"),
  });
  const { body } = await events.GET(request, { params: Promise.resolve({ id }) });
  let received = "";
  let broken: Promise<unknown> | undefined;
  for await (const part of body!.pipeThrough(new TextDecoderStream())) {
    received += part;
    if (received.includes("event: progress")) broken ??= meanwhile(id);
  }
  await broken;
  return received;
}

describe("who follows an import", () => {
  it("ends with an error event when the store can no longer be read", async () => {
    const received = await follow(() => database.query("ALTER TABLE import_job RENAME TO import_job_away"));
    await database.query("ALTER TABLE import_job_away RENAME TO import_job");
    expect(received).toMatch(
      /event: progress\ndata: .*\n\nevent: closed\ndata: \{"code":"internal","message":"[^"]+"\}\n\n$/,
    );
  });

  it("ends with an event when the import was deleted meanwhile", async () => {
    const received = await follow((id) => database.query("DELETE FROM import_job WHERE id = $1", [id]));
    expect(received).toMatch(/event: closed\ndata: \{"code":"not_found","message":"There is no import [^"]+"\}\n\n$/);
  });
});
