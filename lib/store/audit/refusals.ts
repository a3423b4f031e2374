import { singleton } from "@/lib/process/singleton";
import type { RefusalAction } from "@/lib/contracts/log/audit-trail";
import { auditText } from "@/lib/store/audit/audit-events";
import { db } from "@/lib/store/db/database";
import { attemptsSql } from "@/lib/store/log/refused-attempts";

/** Actions that the audit trail counts: refusals, and reads that happen too often for a row each. */
type CountedAction = RefusalAction | "impact.matchers";

/** A refusal or a read that the audit trail counts. */
interface Refusal<A extends CountedAction = CountedAction> {
  readonly action: A;
  /** Why: a fixed sentence or word, or an admin's; never text of the request. */
  readonly reason: string;
  /** The principal if it is known, else the network address. */
  readonly by: { readonly kind: "user" | "token" | "agent" | "address"; readonly name: string };
  /** The network address of a known principal. */
  readonly address?: string;
  /** Set for a disabled agent, whose attempts the log shows too; `reason` is the admin's. */
  readonly disabled?: { readonly reason: string | null };
}

const HOUR_MS = 3_600_000;
/** Most rows that one counter writes: rows that name a caller, and distinct reasons among the rows beyond them. */
export const REFUSAL_ROWS = { perMinute: 64, perHour: 600, reasons: 32 } as const;
/** The name in rows beyond these limits. */
const OTHERS = { kind: "address", name: "other callers" } as const;

/** Refusals of one kind and their count. */
export interface CountedRefusal extends Refusal {
  count: number;
}

/** Writes the rows of one minute: all of them or none. */
type WriteRefusals = (rows: readonly CountedRefusal[], at: Date) => Promise<unknown>;

/** Counts refusals in memory and writes them when the job asks, once a minute, so that no refusal waits for the store. */
export class RefusalCounter {
  readonly #write: WriteRefusals;
  readonly #now: () => number;
  #named = new Map<string, CountedRefusal>();
  #unnamed = new Map<string, CountedRefusal>();
  #hour = 0;
  #writtenInHour = 0;

  constructor(write: WriteRefusals, now: () => number = Date.now) {
    this.#write = write;
    this.#now = now;
  }

  /** Counts a refusal. Refusals with the same action, caller and reason share one row per flush. */
  add(refusal: Refusal): void {
    this.#count({ ...refusal, by: { ...refusal.by, name: auditText(refusal.by.name) }, count: 1 });
  }

  /**
   * Writes the counts so far. After a failure, the counts are kept for the next attempt, within the same limits.
   *
   * @throws the store's error
   */
  async flush(): Promise<void> {
    const rows = [...this.#named.values(), ...this.#unnamed.values()];
    if (rows.length === 0) return;
    const named = this.#named.size;
    const hour = this.#hour;
    [this.#named, this.#unnamed] = [new Map(), new Map()];
    try {
      this.#writtenInHour += named;
      await this.#write(rows, new Date(this.#now()));
    } catch (error) {
      // While the write ran, another refusal may have begun a new hour, whose count does not contain these rows.
      if (this.#hour === hour) this.#writtenInHour -= named;
      for (const row of rows) this.#count(row);
      throw error;
    }
  }

  #count(refusal: CountedRefusal): void {
    const { action, reason, by } = refusal;
    const key = [action, reason, by.kind, by.name].join("\n");
    const known = this.#named.get(key);
    if (known !== undefined) known.count += refusal.count;
    else if (by.name !== OTHERS.name && this.#mayName()) this.#named.set(key, { ...refusal });
    else this.#countUnnamed(refusal);
  }

  #mayName(): boolean {
    const hour = Math.floor(this.#now() / HOUR_MS);
    if (hour !== this.#hour) [this.#hour, this.#writtenInHour] = [hour, 0];
    const { perMinute, perHour } = REFUSAL_ROWS;
    return this.#named.size < perMinute && this.#writtenInHour + this.#named.size < perHour;
  }

  #countUnnamed({ action, reason, count }: CountedRefusal): void {
    const isKept = this.#unnamed.size < REFUSAL_ROWS.reasons || this.#unnamed.has(`${action}\n${reason}`);
    const shownReason = isKept ? reason : "other reasons";
    const key = `${action}\n${shownReason}`;
    const known = this.#unnamed.get(key);
    if (known !== undefined) known.count += count;
    else this.#unnamed.set(key, { action, reason: shownReason, by: OTHERS, count });
  }
}

/** One counter of each kind per process keeps the limits valid. */
const counter = singleton("Refusals", () => new RefusalCounter(writeRefusals));
/** Unknown callers have limits of their own: an attack from many addresses cannot hide the refusals of known callers. */
const strangerCounter = singleton("StrangerRefusals", () => new RefusalCounter(writeRefusals));
/** Disabled agents have limits of their own: no other caller can push them out of the log. */
const attemptCounter = singleton("RefusedAttempts", () => new RefusalCounter(writeRefusals));

/** Counts a security refusal for the audit trail. Costs the request only one lookup in a small map. */
export function countRefusal(refusal: Refusal<RefusalAction>): void {
  counterOf(refusal).add(refusal);
}

function counterOf({ by, disabled }: Refusal): RefusalCounter {
  if (disabled !== undefined) return attemptCounter();
  return by.kind === "address" ? strangerCounter() : counter();
}

/** Counts a read that a person repeats while typing. */
export function countRepeatedRead(read: Refusal<"impact.matchers">): void {
  counter().add(read);
}

/** Writes the counts of this process: once a minute, and when it ends. */
export async function flushRefusals(): Promise<void> {
  await Promise.all([counter, strangerCounter, attemptCounter].map((kind) => kind().flush()));
}

async function writeRefusals(rows: readonly CountedRefusal[], at: Date): Promise<void> {
  const data = rows.map(({ action, reason, by, address, count }) => ({
    at,
    kind: by.kind,
    actor: by.name,
    role: "",
    action,
    target: "",
    address: address === undefined ? null : auditText(address),
    detail: auditText(reason),
    count,
  }));
  const attempts = rows.flatMap(({ by, reason, disabled, count }) =>
    disabled === undefined ? [] : [{ agent: by.name, message: reason, reason: disabled.reason, count }],
  );
  await db().$transaction([
    db().auditEvent.createMany({ data }),
    ...(attempts.length === 0 ? [] : [db().$executeRaw(attemptsSql(attempts, at))]),
  ]);
}
