/** The name and its mark: a tag with a key's hole, what a quartermaster hands out. */
export function Wordmark() {
  return (
    <span className="flex items-center gap-2 text-base font-semibold tracking-tight">
      <svg viewBox="0 0 20 20" aria-hidden className="size-5 shrink-0 text-accent">
        <path d="M10 1.5 17.5 5v6.2c0 3.6-3.2 6.2-7.5 7.6-4.3-1.4-7.5-4-7.5-7.6V5z" fill="currentColor" />
        <path d="M10 6.2a2.1 2.1 0 0 1 1 3.95v3.25H9v-3.25a2.1 2.1 0 0 1 1-3.95z" fill="var(--panel)" />
      </svg>
      Quartermaster
    </span>
  );
}
