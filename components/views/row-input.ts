/** The fields that the store adds to every row (`meta` of the resources) or computes. */
type Added = "revision" | "createdAt" | "updatedAt";

/** A row without the fields that the store adds: its input. */
export function withoutMeta<T extends Record<Added, unknown>>({
  revision: _revision,
  createdAt: _createdAt,
  updatedAt: _updatedAt,
  ...input
}: T): Omit<T, Added> {
  return input;
}
