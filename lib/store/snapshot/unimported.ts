import type { Connection } from "@/lib/store/config/tables";

/** The operations of one source's document that are not tools here: `METHOD URL`, one per line. */
interface UnimportedOperations {
  readonly text: string;
}

/** By source. */
export type Unimported = ReadonlyMap<string, UnimportedOperations>;

/**
 * Reads the operations that an import declined, whose tools were deleted, or that wait in the drift review. A call must not
 * reach them through another tool's path arguments. Sources whose operations did not change keep their `previous` objects.
 */
export async function readUnimported(tx: Connection, previous: Unimported = new Map()): Promise<Unimported> {
  const rows = await tx.$queryRaw<{ source: string; text: string }[]>`
    SELECT source, string_agg(method || ' ' || url, E'\n' ORDER BY method, url) AS text FROM (
      SELECT split_part(definition.tool, ':', 1) AS source, method, url FROM upstream_definition definition
      WHERE url IS NOT NULL AND NOT EXISTS (SELECT FROM tool WHERE tool.id = definition.tool)
      UNION SELECT source, proposed #>> '{run,method}', proposed #>> '{run,url}' FROM drift WHERE kind = 'new'
    ) operation WHERE url IS NOT NULL GROUP BY source`;
  return new Map(
    rows.map(({ source, text }) => {
      const before = previous.get(source);
      return [source, before?.text === text ? before : { text }];
    }),
  );
}
