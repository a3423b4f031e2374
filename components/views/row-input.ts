/** What the store adds to every row (`meta` of the resources), and what it derives. */
type Added = "revision" | "createdAt" | "updatedAt";

/** A row without what the store adds: what its author could have written. */
export function withoutMeta<T extends Record<Added, unknown>>({
  revision: _revision,
  createdAt: _createdAt,
  updatedAt: _updatedAt,
  ...input
}: T): Omit<T, Added> {
  return input;
}
