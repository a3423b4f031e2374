/** How a script ended, or why it did not. */
export type Verdict =
  | { readonly ok: true; /** JSON text. */ readonly output: string }
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

/** What a script's `callTool` is answered. */
export type ToolAnswer =
  | { readonly ok: true; readonly output: unknown }
  | { readonly ok: false; readonly code: string; readonly message: string; readonly details?: unknown };

/** What a worker is told. `args` and `answer` are JSON texts. */
export type ToWorker =
  | { readonly kind: "run"; readonly code: string; readonly args: string; readonly cpuMs: number }
  | { readonly kind: "check"; readonly code: string; readonly cpuMs: number }
  | { readonly kind: "answer"; readonly id: number; readonly answer: string };

/** What a worker says. */
export type FromWorker =
  /** The clock starts: what came before was the worker's own start. */
  | { readonly kind: "started" }
  | { readonly kind: "ask"; readonly id: number; readonly name: string; readonly args: string }
  | { readonly kind: "print"; readonly line: PrintedLine }
  /** Nothing runs until an answer comes; `answered` = answers seen so far. */
  | { readonly kind: "waiting"; readonly usedMs: number; readonly answered: number }
  /** `reusable`: the engine is as it was before. */
  | { readonly kind: "ended"; readonly verdict: Verdict; readonly reusable: boolean };
