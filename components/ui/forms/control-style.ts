/** The style of every text field and select. */
export const controlStyle =
  "w-full rounded-md border border-edge/80 bg-raised px-2 text-sm text-ink transition-colors hover:border-muted focus-visible:border-accent focus-visible:outline-2 focus-visible:outline-offset-0 focus-visible:outline-accent disabled:bg-sunken disabled:text-muted disabled:hover:border-edge/80 [&:is(input,textarea):read-only]:bg-sunken data-invalid:border-deny aria-invalid:border-deny";
