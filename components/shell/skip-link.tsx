/** The first link of a page, visible while it has the focus: past the navigation, to `#main`. */
export function SkipLink() {
  return (
    <a
      href="#main"
      className="sr-only focus:not-sr-only focus:fixed focus:top-2 focus:left-2 focus:z-60 focus:rounded-md focus:bg-raised focus:px-3 focus:py-2"
    >
      Skip to content
    </a>
  );
}
