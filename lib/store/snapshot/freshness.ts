import { withTimeout } from "@/lib/process/timeout";
import { AppError } from "@/lib/errors";

/** Milliseconds for which a configuration may be used after it was last known to be current (docs/reference/promises.md#loss-of-the-store). */
const TRUST_MS = 5_000;
/** Milliseconds that a request waits for a revision. */
const WAIT_MS = 2_000;
/** Milliseconds that a request waits for a revision that is being loaded, as long as the store answers. */
const LOADING_WAIT_MS = 10_000;
/** Milliseconds that a request waits for the first load. A large configuration takes long; a lost store fails sooner. */
const FIRST_WAIT_MS = 15_000;
/** Interval of polls, which run even when notices arrive. */
const POLL_MS = 1_000;
/** Pause between two polls for a revision that has not arrived. */
const RETRY_MS = 50;

/** The source of the value that `Freshness` keeps current. */
interface Subject<T extends { readonly revision: number }> {
  /** Loads the whole value. */
  readonly load: () => Promise<T>;
  /** Reads the present revision. */
  readonly revision: () => Promise<number>;
  /** Subscribes to change notices; `null` = notices may have been lost. Returns the function that unsubscribes. */
  readonly listen: (changed: (revision: number | null) => void) => () => void;
  /** A monotonic clock in milliseconds. */
  readonly now: () => number;
  /** Whether a notice starts the load at once. Otherwise the next request starts it. */
  readonly eager: boolean;
}

/**
 * Keeps one value current through notices and polls. A request may demand a minimum revision. When the store has not
 * confirmed the value for 5 s, requests wait for a running load, or fail, instead of using it.
 */
export class Freshness<T extends { readonly revision: number }> {
  readonly #subject: Subject<T>;
  #value: T | null = null;
  /** When the value was last known to be current. */
  #currentAt = Number.NEGATIVE_INFINITY;
  /** The newest revision that is known to exist, and when this process heard of it. */
  #wanted = { revision: 0, at: Number.NEGATIVE_INFINITY };
  #loading: Promise<void> | null = null;
  #polling: Promise<boolean> | null = null;
  #stop: (() => void) | null = null;

  constructor(subject: Subject<T>) {
    this.#subject = subject;
  }

  /** The current value, of at least `minRevision`. @throws AppError `config_unavailable` */
  async current(minRevision = 0): Promise<T> {
    this.#start();
    return this.#usable(Math.max(minRevision, this.#wanted.revision)) ?? (await this.#awaited(minRevision));
  }

  /** The value once it is current. @throws AppError `config_unavailable` */
  async #awaited(minRevision: number): Promise<T> {
    const failure = await this.#catchUp(minRevision);
    const value = this.#usable(minRevision);
    if (value !== null) return value;
    if (failure instanceof AppError) throw failure;
    const why = this.#isTrusted()
      ? `revision ${minRevision} is not loaded yet`
      : "Quartermaster cannot confirm that it is current";
    throw new AppError("config_unavailable", `The configuration is not available: ${why}.`, {
      cause: failure,
      headers: { "retry-after": "1" },
    });
  }

  /** Notes that a revision exists. The next request waits for it. */
  note(revision: number): void {
    if (revision <= this.#wanted.revision) return;
    this.#wanted = { revision, at: this.#subject.now() };
    if (this.#subject.eager && this.#value !== null && this.#value.revision < revision) this.#load().catch(() => {});
  }

  /** Stops listening and polling. */
  close(): void {
    this.#stop?.();
    this.#stop = null;
  }

  #start(): void {
    if (this.#stop !== null) return;
    const poll = () => void (this.#subject.eager ? this.#pollAndLoad() : this.#poll()).catch(() => {});
    const unlisten = this.#subject.listen((revision) => {
      if (revision === null) poll();
      else this.note(revision);
    });
    const timer = setInterval(poll, POLL_MS).unref();
    this.#stop = () => {
      clearInterval(timer);
      unlisten();
    };
  }

  #isTrusted(): boolean {
    return this.#value !== null && this.#subject.now() - this.#currentAt <= TRUST_MS;
  }

  /** The value, if a request that needs this revision may use it. */
  #usable(revision: number): T | null {
    const value = this.#value;
    return value !== null && this.#isTrusted() && value.revision >= revision ? value : null;
  }

  /**
   * Polls and loads until the newest known revision is there, an attempt fails, or the time is over. Returns the failure.
   * A value of at least `minRevision` is used when the load of a newer one takes long.
   */
  async #catchUp(minRevision: number): Promise<unknown> {
    const begun = this.#subject.now();
    const wait = this.#value === null ? FIRST_WAIT_MS : WAIT_MS;
    let failure: unknown = null;
    const fail = (error: unknown) => {
      failure = error;
    };
    const attempts = (async () => {
      while (this.#subject.now() < begun + wait) {
        await this.#pollAndLoad();
        if (this.#usable(Math.max(minRevision, this.#wanted.revision)) !== null) return;
        await pause(RETRY_MS);
      }
    })().catch(fail);
    await withTimeout(attempts, wait, undefined);
    const isComing = () =>
      failure === null &&
      this.#usable(minRevision) === null &&
      minRevision <= this.#wanted.revision &&
      this.#subject.now() < begun + LOADING_WAIT_MS;
    for (let loading = this.#loading; loading !== null && isComing(); loading = this.#loading) {
      await withTimeout(loading.catch(fail), POLL_MS, undefined);
      // A lost store ends the wait here: a load notices it much later.
      await this.#poll().catch(fail);
    }
    return failure;
  }

  async #pollAndLoad(): Promise<void> {
    if (!(await this.#poll())) await this.#load();
  }

  /** Polls the present revision and returns whether the value has it. Concurrent callers share one poll. */
  #poll(): Promise<boolean> {
    this.#polling ??= this.#pollNow().finally(() => {
      this.#polling = null;
    });
    return this.#polling;
  }

  async #pollNow(): Promise<boolean> {
    const at = this.#subject.now();
    const revision = await this.#subject.revision();
    // The store's answer counts even when the revision decreases, as after a restored backup.
    if (at > this.#wanted.at) this.#wanted = { revision, at };
    if (this.#value?.revision !== revision) return false;
    this.#currentAt = Math.max(this.#currentAt, at);
    return true;
  }

  #load(): Promise<void> {
    this.#loading ??= this.#loadNow().finally(() => {
      this.#loading = null;
    });
    return this.#loading;
  }

  async #loadNow(): Promise<void> {
    const at = this.#subject.now();
    this.#value = await this.#subject.load();
    this.#currentAt = at;
  }
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds).unref());
}
