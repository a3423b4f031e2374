import { setTimeout as delay } from "node:timers/promises";

/** A caller's list at one process, as it is seen to change. */
export interface WatchedList {
  /** When the list was first seen to be of this revision or a later one, in milliseconds of `performance.now()`. */
  seen(revision: number): Promise<number>;
  stop(): void;
}

/** Milliseconds between two questions: what a poll may be late by. */
const POLL_MS = 5;

/** Asks for the list again and again; one tool of it will do, for each says the revision. */
export function polledList(url: string, headers: Readonly<Record<string, string>>): WatchedList {
  const over = new AbortController();
  const watched = watching(() => over.abort());
  void (async () => {
    while (!over.signal.aborted) {
      const answer = await fetch(`${url}/api/agents/tools?limit=1`, { headers });
      watched.tell(((await answer.json()) as { readonly revision: number }).revision);
      await delay(POLL_MS);
    }
  })().catch(watched.fail);
  return watched;
}

/** Listens for it; resolves when the stream has begun. */
export async function streamedList(url: string, headers: Readonly<Record<string, string>>): Promise<WatchedList> {
  const over = new AbortController();
  const watched = watching(() => over.abort());
  const answer = await fetch(`${url}/api/agents/stream`, { headers, signal: over.signal });
  if (!answer.ok || answer.body === null) throw new Error(await answer.text());
  const parts = answer.body.pipeThrough(new TextDecoderStream());
  void (async () => {
    let text = "";
    for await (const part of parts) {
      text += part;
      if (!part.endsWith("\n\n")) continue;
      // It stands behind the tools, whose descriptions may say anything.
      const revision = /"revision":(\d+)[^[\]]*\n\n$/.exec(text)?.[1];
      if (revision !== undefined) watched.tell(Number(revision));
      text = "";
    }
  })().catch(watched.fail);
  return watched;
}

interface Watching extends WatchedList {
  tell(revision: number): void;
  fail(error: unknown): void;
}

function watching(stop: () => void): Watching {
  let last = 0;
  let stopped = false;
  let waiting: { revision: number; resolve: (at: number) => void; reject: (error: unknown) => void }[] = [];
  return {
    seen: (revision) =>
      new Promise((resolve, reject) => {
        if (last >= revision) resolve(performance.now());
        else waiting.push({ revision, resolve, reject });
      }),
    tell: (revision) => {
      last = revision;
      for (const { revision: wanted, resolve } of waiting) if (revision >= wanted) resolve(performance.now());
      waiting = waiting.filter((one) => one.revision > revision);
    },
    fail: (error) => {
      if (!stopped) for (const { reject } of waiting) reject(error);
    },
    stop: () => {
      stopped = true;
      stop();
    },
  };
}
