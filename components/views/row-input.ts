/** The fields that the store adds to every row (`meta` in `lib/resources/parts/name.ts`). */
type MetaField = "revision" | "createdAt" | "updatedAt";

/** A row without the fields that the store adds: its input. */
export function withoutMeta<T extends Record<MetaField, unknown>>({
  revision: _revision,
  createdAt: _createdAt,
  updatedAt: _updatedAt,
  ...input
}: T): Omit<T, MetaField> {
  return input;
}
