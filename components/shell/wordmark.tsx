/** The name and its mark: a tag with a key's hole, what a quartermaster hands out. */
export function Wordmark() {
  return (
    <span className="flex items-center gap-2 text-base font-semibold tracking-tight">
      <svg viewBox="0 0 20 20" aria-hidden className="size-5 shrink-0 text-accent">
        <path d="M10 1.5 17.5 5v6.2c0 3.6-3.2 6.2-7.5 7.6-4.3-1.4-7.500-4-7.500-7.600V5z" fill="currentColor" />
        <path d="M10 6.200a2.100 2.100 0 0 1 1 3.950V13.400H9v-3.250a2.100 2.100 0 0 1 1-3.950z" fill="var(--panel)" />
      </svg>
      Quartermaster
    </span>
  );
}
