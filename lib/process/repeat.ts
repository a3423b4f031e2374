/** Work that repeats until it is stopped. */
export interface Repeated {
  /** Runs it now. During a run: once more when that run has ended. */
  wake(): void;
  /** Starts no more runs. Resolves when the present run has ended. */
  stop(): Promise<void>;
}

/** How often work repeats. */
interface Pace {
  /** Milliseconds between the starts of two runs. */
  readonly everyMs: number;
  /** Returns 0..1: shortens each pause, so that processes that start together do not run together. Absent: exact pauses. */
  readonly jitter?: () => number;
}

/** Part of a pause that jitter may take away. */
const JITTER = 0.1;

/**
 * Repeats work, never two runs at once. A run that takes longer than the period skips the missed starts. The timer
 * keeps no process alive, and a failed run does not end the repetition.
 */
export function repeat(run: () => Promise<unknown>, { everyMs, jitter }: Pace): Repeated {
  let timer: NodeJS.Timeout | undefined;
  let present: Promise<void> | null = null;
  let isWoken = false;
  let isStopped = false;

  const schedule = (pauseMs: number) => {
    if (!isStopped) timer = setTimeout(start, pauseMs).unref();
  };
  const start = () => {
    if (isStopped) return;
    if (present !== null) {
      isWoken = true;
      return;
    }
    clearTimeout(timer);
    isWoken = false;
    const startedAt = performance.now();
    const settled = () => {
      present = null;
      if (isWoken) return start();
      const pauseMs = everyMs * (1 - JITTER * (jitter?.() ?? 0));
      schedule(pauseMs - ((performance.now() - startedAt) % pauseMs));
    };
    present = Promise.resolve().then(run).then(settled, settled);
  };

  schedule(everyMs * (jitter?.() ?? 1));
  return {
    wake: start,
    stop: async () => {
      isStopped = true;
      clearTimeout(timer);
      await present;
    },
  };
}
