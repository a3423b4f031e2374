import type { Outbound } from "@/lib/outbound/fetch";
import type { ImportedKind } from "@/lib/resources/source-kinds";
import type { SourceInput } from "@/lib/resources/source";
import type { ToolInput } from "@/lib/resources/tool";
import type { ImportRequest } from "@/lib/sources/import/import";
import { importMcpInThread } from "@/lib/sources/mcp/import-thread";
import { readMcpTools } from "@/lib/sources/mcp/read-tools";
import type { ReadImport, TakeTools } from "@/lib/sources/openapi/import-thread";
import { readOpenApiTools } from "@/lib/sources/openapi/read-tools";
import { serverInUse } from "@/lib/sources/openapi/servers";

/** One reading of a source's tools. */
export interface ToolReading {
  /** The id of the import, which stores the progress. */
  readonly id: string;
  readonly input: ImportRequest;
  /** The stored source, or the one that applying the import creates. */
  readonly source: SourceInput;
  /** The address to read; `null` = the import has a document, or the source has a command. */
  readonly url: string | null;
  /** The source's stored tools. */
  readonly stored: readonly ToolInput[];
  /** The operation names of stored tools by `upstreamKey`. A reading does not rename these tools. */
  readonly known: ReadonlyMap<string, string>;
  /** The id of the person who reads, for sources that require the user's own sign-in; `null` = nobody. */
  readonly person: string | null;
  readonly send: Outbound;
}

/**
 * Reads a source and passes its tools to `take` in batches. Each batch waits for the one before. `unsent`: why the source's
 * credentials were not sent.
 */
type Reader = (reading: ToolReading, take: TakeTools) => Promise<ReadImport & { readonly unsent?: string | null }>;

/** How the tools of each imported kind of source are read. */
export const readers: Readonly<Record<ImportedKind, Reader>> = {
  openapi: ({ id, input, source, url, stored, known, person, send }, take) => {
    const server = { server: input.server ?? null, inUse: serverInUse(stored) };
    const options = { source: source.name, url: url ?? source.url, known, ...server };
    return readOpenApiTools({ id, document: input.document ?? null, options, source, person, send, take });
  },
  mcp: async ({ source, known, person }, take) =>
    importMcpInThread({ list: await readMcpTools(source, person), source: source.name, known }, take),
};
