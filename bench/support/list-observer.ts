import { setTimeout as delay } from "node:timers/promises";

/** A caller's list at one process, observed for changes. */
export interface ListObserver {
  /** When the list first had this revision or a later one, in milliseconds of `performance.now()`. */
  seen(revision: number): Promise<number>;
  stop(): void;
}

/** Milliseconds between two polls: the error of a polled time. */
const POLL_MS = 5;

/** Polls the list; one tool of it is enough, because every answer names the revision. */
export function polledList(url: string, headers: Readonly<Record<string, string>>): ListObserver {
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

/** Follows the list's stream; resolves when the stream has begun. */
export async function streamedList(url: string, headers: Readonly<Record<string, string>>): Promise<ListObserver> {
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
      // The revision comes after the tools, whose descriptions may contain anything.
      const revision = /"revision":(\d+)[^[\]]*\n\n$/.exec(text)?.[1];
      if (revision !== undefined) watched.tell(Number(revision));
      text = "";
    }
  })().catch(watched.fail);
  return watched;
}

interface Watching extends ListObserver {
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
