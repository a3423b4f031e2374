import { maskSecretShapes } from "@/lib/telemetry/secret-shapes";

/** A problem in a document, shown to the admin. It never fails the import. */
export interface Finding {
  /** Where: `GET /pets/{id}`, or `""` for the whole document. */
  readonly path: string;
  readonly message: string;
  /** The finding is dealt with once the source has authentication. */
  readonly asksForAuth?: true;
}

/** Most findings of an import. A broken document repeats the same problem. */
const MAX_FINDINGS = 500;

/** Collects distinct findings. */
export class Findings {
  readonly #found = new Map<string, Finding>();

  add(path: string, message: string, asks: Pick<Finding, "asksForAuth"> = {}): void {
    // Both quote the document, which may contain secrets.
    const finding = { path: maskSecretShapes(path), message: maskSecretShapes(message), ...asks };
    if (this.#found.size < MAX_FINDINGS) this.#found.set(`${path}\n${message}`, finding);
  }

  get all(): readonly Finding[] {
    return [...this.#found.values()];
  }
}
