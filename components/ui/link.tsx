import NextLink from "next/link";
import type { ComponentProps } from "react";

/**
 * Next's link, without prefetching. The server renders each page for one person and one request, so a prefetch brings only
 * the shape of the address, yet costs the server a rendered page for every link on the screen.
 */
export function Link(props: ComponentProps<typeof NextLink>) {
  return <NextLink prefetch={false} {...props} />;
}
