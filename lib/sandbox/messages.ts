/** The result of a script, or why it failed. */
export type Verdict =
  | { readonly ok: true; /** The result as JSON text. */ readonly output: string }
  | {
      readonly ok: false;
      readonly code: "sandbox_timeout" | "sandbox_memory" | "sandbox_error" | "result_too_large" | "internal";
      /** One sentence for the author of the script. */
      readonly message: string;
      /** Line of the script, from 1; `null` when the engine does not know it. */
      readonly line: number | null;
    };

/** A line that a script printed. */
export interface PrintedLine {
  readonly level: "debug" | "info" | "log" | "warn" | "error";
  readonly text: string;
}

/** The answer to a script's `callTool`. */
export type ToolAnswer =
  | { readonly ok: true; readonly output: unknown }
  | { readonly ok: false; readonly code: string; readonly message: string; readonly details?: unknown };

/** Messages to a worker. `args` and `answer` are JSON texts. */
export type ToWorker =
  | { readonly kind: "run"; readonly code: string; readonly args: string; readonly cpuMs: number }
  | { readonly kind: "check"; readonly code: string; readonly cpuMs: number }
  | { readonly kind: "answer"; readonly id: number; readonly answer: string };

/** Messages from a worker. */
export type FromWorker =
  /** The script's clock starts now: the time before was the worker's own start. */
  | { readonly kind: "started" }
  | { readonly kind: "callTool"; readonly id: number; readonly name: string; readonly args: string }
  | { readonly kind: "print"; readonly line: PrintedLine }
  /** The script waits for an answer; `answered` = answers received so far. */
  | { readonly kind: "waiting"; readonly usedMs: number; readonly answered: number }
  /** `reusable`: the engine is in its initial state again. */
  | { readonly kind: "ended"; readonly verdict: Verdict; readonly reusable: boolean };
