import type { OpenApiDocument, PublishedOperation } from "@/lib/contracts/openapi/open-api";

/** One operation with its address. */
export interface DocumentedOperation extends PublishedOperation {
  readonly method: string;
  readonly path: string;
}

/** The operations of one tag: a page of the documentation. */
interface Chapter {
  readonly slug: string;
  readonly title: string;
  readonly description: string;
  readonly operations: readonly DocumentedOperation[];
}

/** The document's chapters, in the order of its tags. */
export function chaptersOf({ tags, paths }: OpenApiDocument): Chapter[] {
  const operations = Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({ ...operation, method: method.toUpperCase(), path })),
  );
  return tags.map(({ name, description }) => ({
    slug: name.toLowerCase().replaceAll(" ", "-"),
    title: name,
    description,
    operations: operations.filter((operation) => operation.tags[0] === name),
  }));
}
