/** A use is stored at most this often: the column informs people, it is not a log. */
const EVERY_MS = 60_000;
const MAX_REMEMBERED = 10_000;

/** When each credential was last noted, epoch milliseconds. */
const notedAt = new Map<string, number>();

/** Runs `note` in the background unless the same credential was noted within the last minute. */
export function noteUse(credential: string, note: (at: Date) => Promise<unknown>): void {
  const now = Date.now();
  if (now - (notedAt.get(credential) ?? 0) < EVERY_MS) return;
  if (notedAt.size >= MAX_REMEMBERED) notedAt.clear();
  notedAt.set(credential, now);
  note(new Date(now)).catch(() => notedAt.delete(credential));
}

/** The instant that many days from `now`, ISO 8601. */
export function expiry(days: number, now = new Date()): string {
  return new Date(now.getTime() + days * 24 * 60 * 60 * 1000).toISOString();
}
