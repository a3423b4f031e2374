import { parentPort, workerData } from "node:worker_threads";
import variant from "@jitl/quickjs-wasmfile-release-sync";
import { newQuickJSWASMModuleFromVariant, newVariant } from "quickjs-emscripten-core";

// The thread that runs scripts: plain JavaScript, started by lib/sandbox/thread.ts, which can end it at any moment. The
// engine has one WebAssembly memory; each script gets a new runtime in it.

/** @import { QuickJSContext, QuickJSDeferredPromise, QuickJSHandle, QuickJSRuntime } from "quickjs-emscripten-core" */
/** @import { FromWorker, PrintedLine, ToWorker, Verdict } from "./messages.ts" */

const PAGE = 65_536;
/** The engine's initial memory. A worker whose memory grew is not used again. */
const FIRST_PAGES = 256;
/** 32 MiB, the hard limit. The engine's own limit is lower, so that most scripts end with the engine's clean error. */
const MAX_PAGES = 512;
const ENGINE_BYTES = 24 * 1024 * 1024;
const STACK_BYTES = 256 * 1024;
const MAX_RESULT_BYTES = 256 * 1024;
const MAX_HOST_CALLS = 16;
const MAX_LINES = 100;
const MAX_LINE_LENGTH = 1000;
/** Jobs between two checks of the clock: a job without bytecode never calls the interrupt handler. */
const JOBS_PER_CHECK = 100;
/** The script's name in error messages. */
const FILE = "script.js";
/** The name of a missing module: the engine looks for it only after it has parsed the script. */
const PARSED = "house:parsed";

/**
 * Runs inside the engine before the script, and saves the functions that the app relies on. Protects nothing: a script
 * that replaces them only changes its own answer.
 */
const PRELUDE = `(callHost, print) => {
  const { parse, stringify } = JSON;
  const show = (value) => {
    if (typeof value === "string") return value;
    if (value instanceof Error || typeof value === "function" || typeof value === "symbol") return String(value);
    return stringify(value) ?? String(value);
  };
  const line = (level) => (...values) => print(level, values.map(show).join(" "));
  globalThis.console = { debug: line("debug"), info: line("info"), log: line("log"), warn: line("warn"), error: line("error") };
  const callTool = async (name, args = {}) => {
    const answer = parse(await callHost(name, stringify(args)));
    if (answer.ok) return answer.output;
    const { ok, message, ...rest } = answer;
    throw Object.assign(new Error(message), { name: "ToolError" }, rest);
  };
  const start = async (namespace, args) => {
    const { default: run } = await namespace;
    if (typeof run !== "function") throw new TypeError("it exports no function: write export default async (args, { callTool }) => { … }");
    return stringify(await run(parse(args), { callTool })) ?? "null";
  };
  const describe = (thrown) => {
    const known = thrown instanceof Error;
    const { name, message, stack } = known ? thrown : { name: "", message: "it threw " + show(thrown), stack: "" };
    return stringify([name, message, stack].map((part) => String(part).slice(0, 1000)));
  };
  return { start, describe };
}`;

const port = /** @type {import("node:worker_threads").MessagePort} */ (parentPort);
const memory = new WebAssembly.Memory({ initial: FIRST_PAGES, maximum: MAX_PAGES });
const engine = await newQuickJSWASMModuleFromVariant(
  newVariant(variant, { wasmModule: () => workerData, wasmMemory: memory }),
);

/** @param {FromWorker} message */
function post(message) {
  port.postMessage(message);
}

/** @type {Script | null} */
let current = null;

port.on("message", (/** @type {ToWorker} */ message) => {
  if (message.kind === "answer") return current?.answer(message.id, message.answer);
  post({ kind: "started" });
  const script = new Script(message.cpuMs);
  current = script;
  if (message.kind === "check") script.check(message.code);
  else script.start(message.code, message.args);
});

/** One script in a new runtime, from its start to its verdict. */
class Script {
  #cpuMs;
  #usedMs = 0;
  #sliceStart = 0;
  #interrupted = false;
  #ended = false;
  /** @type {QuickJSRuntime} */
  #runtime;
  /** @type {QuickJSContext} */
  #context;
  /**
   * Handles to dispose of at the end.
   * @type {{ dispose(): void }[]}
   */
  #owned = [];
  /** @type {QuickJSHandle | null} */
  #result = null;
  /** @type {Map<number, QuickJSDeferredPromise>} */
  #pendingCalls = new Map();
  #hostCalls = 0;
  #answered = 0;
  #lines = 0;

  /** @param {number} cpuMs */
  constructor(cpuMs) {
    this.#cpuMs = cpuMs;
    this.#runtime = engine.newRuntime();
    this.#runtime.setMemoryLimit(ENGINE_BYTES);
    this.#runtime.setMaxStackSize(STACK_BYTES);
    this.#runtime.setInterruptHandler(() => this.#isOverdue());
    this.#context = this.#runtime.newContext();
  }

  /**
   * Compiles without running: the engine parses the whole module, then looks for its imports, and fails on the missing
   * one. (The binding's own `compileOnly` takes modules for promises and now and then reads a rejection out of them.)
   * @param {string} code
   */
  check(code) {
    this.#slice(() => {
      const loaded = this.#context.evalCode(`${code}\nimport "${PARSED}";`, FILE, { type: "module" });
      this.#fail(this.#own(loaded.error ?? loaded.value));
    });
  }

  /** @param {string} code @param {string} args */
  start(code, args) {
    this.#slice(() => {
      const { start } = this.#prelude();
      const loaded = this.#context.evalCode(code, FILE, { type: "module" });
      if (loaded.error) return this.#fail(this.#own(loaded.error));
      const given = [this.#own(loaded.value), this.#own(this.#context.newString(args))];
      const running = this.#context.callFunction(start, this.#context.undefined, ...given);
      if (running.error) return this.#fail(this.#own(running.error));
      this.#result = this.#own(running.value);
      this.#pump();
    });
  }

  /** @param {number} id @param {string} answer */
  answer(id, answer) {
    const deferred = this.#pendingCalls.get(id);
    if (deferred === undefined || this.#ended) return;
    this.#pendingCalls.delete(id);
    this.#answered += 1;
    this.#slice(() => {
      deferred.resolve(this.#own(this.#context.newString(answer)));
      this.#pump();
    });
  }

  #isOverdue() {
    this.#interrupted ||= this.#usedMs + (performance.now() - this.#sliceStart) > this.#cpuMs;
    return this.#interrupted;
  }

  /**
   * Wraps every entry into the engine: starts the clock, and turns any failure into a verdict.
   * @param {() => void} work
   */
  #slice(work) {
    this.#sliceStart = performance.now();
    try {
      work();
    } catch {
      this.#end(this.#isFull() ? OUT_OF_MEMORY : failure("The script crashed the sandbox."), false);
    }
    this.#usedMs += performance.now() - this.#sliceStart;
    if (!this.#ended) post({ kind: "waiting", usedMs: this.#usedMs, answered: this.#answered });
  }

  /** Runs the ready jobs. Afterwards the script has ended, or waits for an answer. */
  #pump() {
    while (this.#runtime.hasPendingJob() && !this.#isOverdue()) {
      const done = this.#runtime.executePendingJobs(JOBS_PER_CHECK);
      if (done.error) return this.#fail(this.#own(done.error));
      done.dispose();
    }
    if (this.#interrupted) return this.#end(this.#outOfTime(), false);
    const state = this.#context.getPromiseState(/** @type {QuickJSHandle} */ (this.#result));
    if (state.type === "rejected") return this.#fail(this.#own(state.error));
    if (state.type === "fulfilled") return this.#succeed(this.#own(state.value));
    if (this.#pendingCalls.size > 0) return;
    // An engine without memory drops the jobs that would settle a promise.
    if (this.#isFull()) return this.#end(OUT_OF_MEMORY, false);
    this.#end(failure("The script waits for a promise that never settles."));
  }

  /** @param {QuickJSHandle} value */
  #succeed(value) {
    const text = this.#text(value, MAX_RESULT_BYTES);
    if (text === null || Buffer.byteLength(text) > MAX_RESULT_BYTES) return this.#end(TOO_LARGE);
    this.#end({ ok: true, output: text });
  }

  /** @param {QuickJSHandle} thrown */
  #fail(thrown) {
    if (this.#interrupted) return this.#end(this.#outOfTime(), false);
    const { describe } = this.#prelude();
    const described = this.#context.callFunction(describe, this.#context.undefined, thrown);
    const text = this.#text(this.#own(described.error ?? described.value), 16 * MAX_LINE_LENGTH);
    if (this.#interrupted) return this.#end(this.#outOfTime(), false);
    if (described.error || text === null)
      return this.#end(
        this.#isFull() ? OUT_OF_MEMORY : failure("The script threw a value that cannot be read."),
        false,
      );
    const [name, message, stack] = /** @type {[string, string, string]} */ (JSON.parse(text));
    // An engine without memory for an error throws null.
    const outOfMemory =
      name === "InternalError" ? message === "out of memory" : message === "it threw null" && this.#isFull();
    if (outOfMemory) return this.#end(OUT_OF_MEMORY, false);
    if (message === `could not load module '${PARSED}'`) return this.#end({ ok: true, output: "null" });
    const line = /script\.js:(\d+)/.exec(stack)?.[1];
    this.#end(
      failure(
        `${name === "" || name === "Error" ? "" : `${name}: `}${message}`,
        line === undefined ? null : Number(line),
      ),
    );
  }

  /** The prelude's functions in this runtime. */
  #prelude() {
    if (this.#loadedPrelude !== null) return this.#loadedPrelude;
    const context = this.#context;
    const callHost = this.#own(context.newFunction("callHost", (name, args) => this.#callTool(name, args)));
    const print = this.#own(context.newFunction("print", (level, text) => this.#print(level, text)));
    const prelude = this.#own(context.unwrapResult(context.evalCode(PRELUDE, "house.js", { strict: true })));
    const made = this.#own(context.unwrapResult(context.callFunction(prelude, context.undefined, callHost, print)));
    this.#loadedPrelude = {
      start: this.#own(context.getProp(made, "start")),
      describe: this.#own(context.getProp(made, "describe")),
    };
    return this.#loadedPrelude;
  }
  /** @type {{ start: QuickJSHandle, describe: QuickJSHandle } | null} */
  #loadedPrelude = null;

  /** @param {QuickJSHandle} nameHandle @param {QuickJSHandle} argsHandle */
  #callTool(nameHandle, argsHandle) {
    const name = this.#text(nameHandle, 200);
    const args = this.#text(argsHandle, MAX_RESULT_BYTES);
    if (name === null) return this.#refused("callTool needs the name of a tool");
    if (args === null) return this.#refused("callTool needs an object of arguments, at most 256 KiB as JSON");
    if (this.#hostCalls === MAX_HOST_CALLS) return this.#refused(`a script may call ${MAX_HOST_CALLS} tools`);
    this.#hostCalls += 1;
    const deferred = this.#own(this.#context.newPromise());
    this.#pendingCalls.set(this.#hostCalls, deferred);
    post({ kind: "callTool", id: this.#hostCalls, name, args });
    return deferred.handle.dup();
  }

  /** @param {string} message */
  #refused(message) {
    return { error: this.#context.newError({ name: "RangeError", message }) };
  }

  /** @param {QuickJSHandle} levelHandle @param {QuickJSHandle} textHandle */
  #print(levelHandle, textHandle) {
    if (this.#lines === MAX_LINES) return;
    this.#lines += 1;
    const level = /** @type {PrintedLine["level"]} */ (this.#text(levelHandle, 5) ?? "log");
    const text = this.#text(textHandle, 64 * MAX_LINE_LENGTH) ?? "(too long to show)";
    const last = this.#lines === MAX_LINES ? " (what is printed from here on is not shown)" : "";
    post({ kind: "print", line: { level, text: text.slice(0, MAX_LINE_LENGTH) + last } });
  }

  /**
   * A string of the script; `null` for any other value, or for one longer than `most` characters.
   * @param {QuickJSHandle} handle @param {number} most
   */
  #text(handle, most) {
    if (this.#context.typeof(handle) !== "string") return null;
    const length = this.#context.getProp(handle, "length").consume((value) => this.#context.getNumber(value));
    return length > most ? null : this.#context.getString(handle);
  }

  #outOfTime() {
    return /** @type {const} */ ({
      ok: false,
      code: "sandbox_timeout",
      message: `The script computed for more than ${this.#cpuMs / 1000} s.`,
      line: null,
    });
  }

  /** Whether the engine has used its memory: it grows the memory in steps, and the last step exceeds its own limit. */
  #isFull() {
    return memory.buffer.byteLength > ENGINE_BYTES;
  }

  /** @template {{ dispose(): void }} T @param {T} handle @returns {T} */
  #own(handle) {
    this.#owned.push(handle);
    return handle;
  }

  /** @param {Verdict} verdict */
  #end(verdict, reusable = true) {
    if (this.#ended) return;
    this.#ended = true;
    current = null;
    post({
      kind: "ended",
      verdict,
      reusable: reusable && this.#dispose() && memory.buffer.byteLength === FIRST_PAGES * PAGE,
    });
  }

  /** Disposes of everything. Returns whether the engine released it all: leftovers would reach the next script. */
  #dispose() {
    try {
      for (const one of this.#owned.toReversed()) one.dispose();
      this.#context.dispose();
      this.#runtime.dispose();
      return true;
    } catch {
      return false;
    }
  }
}

/** @param {string} message @param {number | null} line @returns {Verdict} */
function failure(message, line = null) {
  return { ok: false, code: "sandbox_error", message, line };
}

/** @type {Verdict} */
const OUT_OF_MEMORY = {
  ok: false,
  code: "sandbox_memory",
  message: "The script needs more memory than 32 MiB.",
  line: null,
};
/** @type {Verdict} */
const TOO_LARGE = {
  ok: false,
  code: "result_too_large",
  message: "The script's result is larger than 256 KiB.",
  line: null,
};
