/** One thing that an importer noticed: shown to the admin, never a reason to fail the import. */
export interface Finding {
  /** Where: `GET /pets/{id}`, or `""` for the whole document. */
  readonly path: string;
  readonly message: string;
}

/** The most findings that are kept: a broken document repeats itself. */
const MAX_FINDINGS = 500;

/** Collects findings, each once. */
export class Findings {
  readonly #found = new Map<string, Finding>();

  add(path: string, message: string): void {
    if (this.#found.size < MAX_FINDINGS) this.#found.set(`${path}\n${message}`, { path, message });
  }

  get all(): readonly Finding[] {
    return [...this.#found.values()];
  }
}
