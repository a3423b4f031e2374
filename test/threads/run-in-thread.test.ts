import { afterAll, describe, expect, it, onTestFinished, vi } from "vitest";
import { MAX_DOCUMENT_DEPTH } from "@/lib/contracts/sources/import-job";
import { parsedInThread } from "@/lib/admin/parsed-document";
import { AppError } from "@/lib/errors";
import { closeThreads, runInThread, ThreadOverrun } from "@/lib/threads/run-in-thread";

afterAll(closeThreads);

/** YAML whose aliases the library looks up by walking through the document, again and again. */
const SLOW = Array.from({ length: 60_000 }, (_, at) => `k${at}: &a${at} 1\nj${at}: *a${at}`).join("\n");
const GOOD = "apiVersion: quartermaster/v1\ngroups: [{ name: a }]";

/** Occupies every thread until the returned function ends that work. */
async function occupyThreads(): Promise<() => Promise<void>> {
  const left = new AbortController();
  const input = { document: SLOW };
  const work = { job: "configuration", input, deadlineMs: 60_000, signal: left.signal };
  const running = Array.from({ length: 4 }, () => runInThread(work).catch(() => undefined));
  const end = async () => {
    left.abort(new Error("left"));
    await Promise.all(running);
  };
  onTestFinished(end);
  await new Promise(setImmediate);
  return end;
}

describe("work in a thread", () => {
  it("is ended when it takes too long, and the next work runs", async () => {
    const begun = performance.now();
    const work = { job: "configuration", input: { document: SLOW }, deadlineMs: 1_000 };
    await expect(runInThread(work)).rejects.toBeInstanceOf(ThreadOverrun);
    expect(performance.now() - begun).toBeLessThan(15_000);
    expect(await parsedInThread(GOOD)).toMatchObject({ ok: true, document: { groups: [{ name: "a" }] } });
  });

  it("keeps its thread for the next work after an answer and after a refusal", async () => {
    await parsedInThread(GOOD);
    const body = new TextEncoder().encode("[");
    await expect(runInThread({ job: "importBody", input: { body }, deadlineMs: 2_000 })).rejects.toMatchObject({
      code: "invalid_request",
    });
    const begun = performance.now();
    expect(await parsedInThread(GOOD)).toMatchObject({ ok: true });
    expect(performance.now() - begun).toBeLessThan(1_000);
  });

  it("refuses a document of an import that is nested too deeply", async () => {
    const read = (levels: number) => {
      const document = `${'{"a":'.repeat(levels)}1${"}".repeat(levels)}`;
      const body = new TextEncoder().encode(`{"source":"s","document":${document}}`);
      return runInThread({ job: "importBody", input: { body }, deadlineMs: 5_000 });
    };
    await expect(read(MAX_DOCUMENT_DEPTH)).resolves.toMatchObject({ input: { source: "s" } });
    for (const levels of [MAX_DOCUMENT_DEPTH + 1, 20_000])
      await expect(read(levels)).rejects.toMatchObject({ code: "invalid_request", errors: [{ path: "document" }] });
  });

  it("is ended when its caller leaves", async () => {
    const left = new AbortController();
    const work = runInThread({
      job: "configuration",
      input: { document: SLOW },
      deadlineMs: 60_000,
      signal: left.signal,
    });
    left.abort(new Error("left"));
    await expect(work).rejects.toThrow("left");
  });

  it("that waits for a thread leaves with its caller, and gives its place in the queue back", async () => {
    const end = await occupyThreads();
    const left = new AbortController();
    const input = { document: GOOD };
    const work = { job: "configuration", input, deadlineMs: 60_000, signal: left.signal };
    const waiting = Array.from({ length: 32 }, () => runInThread(work));
    const refused = Promise.allSettled(waiting);
    await expect(runInThread({ ...work, deadlineMs: 1 })).rejects.toMatchObject({ code: "overloaded" });
    left.abort(new Error("left"));
    for (const settled of await refused)
      expect(settled).toMatchObject({ status: "rejected", reason: { message: "left" } });
    const next = parsedInThread(GOOD);
    await end();
    expect(await next).toMatchObject({ ok: true });
  });

  it("whose caller left before does not begin", async () => {
    const signal = AbortSignal.abort(new Error("left"));
    const end = await occupyThreads();
    const work = { job: "configuration", input: { document: GOOD }, deadlineMs: 60_000, signal };
    await expect(runInThread(work)).rejects.toThrow("left");
    await end();
  });

  it("is refused as overload when it waits for a thread too long", async () => {
    const end = await occupyThreads();
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    onTestFinished(() => void vi.useRealTimers());
    const refused = (deadlineMs: number) =>
      runInThread({ job: "configuration", input: { document: GOOD }, deadlineMs }).catch((error: unknown) => error);
    const [short, long] = [refused(2_000), refused(60_000)];
    await vi.advanceTimersByTimeAsync(10_000);
    expect(await short).toMatchObject({ code: "overloaded", status: 503 });
    expect(await Promise.race([long, "waits"])).toBe("waits");
    await vi.advanceTimersByTimeAsync(50_000);
    expect(await long).toMatchObject({ code: "overloaded", status: 503 });
    vi.useRealTimers();
    await end();
  });

  it("has its whole time after it waited", async () => {
    const end = await occupyThreads();
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    onTestFinished(() => void vi.useRealTimers());
    const waiting = runInThread({ job: "configuration", input: { document: GOOD }, deadlineMs: 2_000 });
    await vi.advanceTimersByTimeAsync(9_000);
    vi.useRealTimers();
    await end();
    expect(await waiting).toMatchObject({ ok: true });
  });

  it("is ended when its caller's call is cancelled, and the next work runs", async () => {
    const left = new AbortController();
    const input = { document: SLOW };
    const work = runInThread({ job: "configuration", input, deadlineMs: 60_000, signal: left.signal });
    await new Promise(setImmediate);
    left.abort(new AppError("cancelled", "The call was cancelled."));
    await expect(work).rejects.toMatchObject({ code: "cancelled" });
    expect(await parsedInThread(GOOD)).toMatchObject({ ok: true });
  });

  it("is refused as overload when no thread is ready in time, and the next work runs", async () => {
    closeThreads();
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    onTestFinished(() => void vi.useRealTimers());
    const work = runInThread({ job: "configuration", input: { document: GOOD }, deadlineMs: 60_000 });
    const refused = work.catch((error: unknown) => error);
    await vi.advanceTimersByTimeAsync(10_000);
    vi.useRealTimers();
    expect(await refused).toMatchObject({ code: "overloaded", status: 503 });
    expect(await parsedInThread(GOOD)).toMatchObject({ ok: true });
  });

  it("that exceeds its memory is distinguished from a broken thread", async () => {
    const paths = Object.fromEntries(Array.from({ length: 100_000 }, (_, at) => [`/p${at}`, { get: { tags: ["t"] } }]));
    const document = JSON.stringify({ openapi: "3.1.0", servers: [{ url: "https://a.example" }], paths });
    const options = { source: "s", url: null, known: new Map() };
    const work = { job: "openapi", input: { document, hidden: [], options }, deadlineMs: 60_000, heapMib: 16 };
    await expect(runInThread(work)).rejects.toBeInstanceOf(ThreadOverrun);
    await expect(runInThread({ job: "nothing", input: {}, deadlineMs: 2_000 })).rejects.toThrow(/no job `nothing`/);
  });

  it("returns a large document in parts, with stated values next to defaults", async () => {
    const tools = Array.from({ length: 3_000 }, (_, at) => ({
      id: `s:t${at}`,
      description: "d".repeat(100),
      inputSchema: { type: "object" },
    }));
    const parsed = await parsedInThread(JSON.stringify({ apiVersion: "quartermaster/v1", tools, groups: [] }));
    if (!parsed.ok) throw new Error("The document is valid.");
    expect(parsed.document.tools?.map(({ id }) => id)).toEqual(tools.map(({ id }) => id));
    expect(parsed.stated["tools"]).toEqual(tools);
    expect(parsed.document.groups).toEqual([]);
    expect("policies" in parsed.document).toBe(false);
  });

  it("says when a document's bytes are no UTF-8", async () => {
    expect(await parsedInThread(Uint8Array.of(0xff, 0xfe, 0x41))).toEqual({
      ok: false,
      errors: [{ path: "", message: "the document is not UTF-8" }],
    });
  });
});
