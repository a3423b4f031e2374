import { CODE_KIND } from "@/lib/access/model/configuration";
import type { Run } from "@/lib/resources/parts/run";

// Facts without shapes: pages import this file without the schemas, which are 90 KB.

interface KindFacts {
  /** The name in lists and forms, and the hint next to it in choices. */
  readonly label: string;
  readonly hint: string | null;
  /** The `run` of its tools; `null`: the tool's id names code of this installation. */
  readonly run: Run["kind"] | null;
  /**
   * Where imports and syncs read tools. `document`: at the source's URL, or in a document that an admin gives. `server`:
   * at the source's own server only. `null`: tools are written by people or in code.
   */
  readonly imports: "document" | "server" | null;
  /** Whether a command on this machine can start it, instead of a URL. */
  readonly command: boolean;
  /** Whether calls leave the process. Then a circuit breaker and a limit of calls at once protect the upstream. */
  readonly upstream: boolean;
  /** Whether calls carry the source's credentials. */
  readonly credentials: boolean;
  /** Whether calls can carry an idempotency key in a header. */
  readonly idempotencyHeader: boolean;
  /**
   * What happens to an answer that does not fit its output schema, when neither source nor tool says. Imported tools
   * warn, because the effect has happened.
   */
  readonly outputCheck: "warn" | "withhold";
}

/** Every kind of source, in the order of the form. Runners, readers and forms each have a map with these keys. */
export const SOURCE_KINDS = {
  openapi: {
    label: "OpenAPI document",
    hint: null,
    run: "http",
    imports: "document",
    command: false,
    upstream: true,
    credentials: true,
    idempotencyHeader: true,
    outputCheck: "warn",
  },
  mcp: {
    label: "MCP server",
    hint: null,
    run: "mcp",
    imports: "server",
    command: true,
    upstream: true,
    credentials: true,
    idempotencyHeader: false,
    outputCheck: "warn",
  },
  http: {
    label: "HTTP",
    hint: "Tools described by hand",
    run: "http",
    imports: null,
    command: false,
    upstream: true,
    credentials: true,
    idempotencyHeader: true,
    outputCheck: "withhold",
  },
  script: {
    label: "Script",
    hint: null,
    run: "script",
    imports: null,
    command: false,
    upstream: false,
    credentials: false,
    idempotencyHeader: false,
    outputCheck: "withhold",
  },
  [CODE_KIND]: {
    label: "Built in",
    hint: null,
    run: null,
    imports: null,
    command: false,
    upstream: false,
    credentials: false,
    idempotencyHeader: false,
    outputCheck: "withhold",
  },
} as const satisfies Record<string, KindFacts>;

/** The name of a kind of source. */
export type SourceKind = keyof typeof SOURCE_KINDS;

/** A kind whose tools are imported and synchronised. */
export type ImportedKind = {
  [K in SourceKind]: (typeof SOURCE_KINDS)[K]["imports"] extends null ? never : K;
}[SourceKind];

/** The kind of a source that an import creates. */
export const IMPORT_KIND = "openapi" satisfies ImportedKind;

/** The names of all kinds. */
export const SOURCE_KIND_NAMES = Object.keys(SOURCE_KINDS) as SourceKind[];

/** The kinds for which a fact holds. */
export function sourceKindsWhere(holds: (facts: KindFacts) => boolean): SourceKind[] {
  return SOURCE_KIND_NAMES.filter((kind) => holds(SOURCE_KINDS[kind]));
}

/** The kinds whose tools are imported and synchronised. */
export const IMPORTED_KINDS = sourceKindsWhere(({ imports }) => imports !== null);

/** Whether tools of this kind of source are imported and synchronised. */
export function isImportedKind(kind: SourceKind): kind is ImportedKind {
  return IMPORTED_KINDS.includes(kind);
}

/** The source that every installation has; other sources in code (the demo's) only where someone added them. */
export const ALWAYS_SOURCE = "builtin";
