/** The entrances through which a call can reach a tool. */
export type Door = "rest" | "mcp" | "script" | "legacy" | "try" | "search";

/** One step of a run of the flow guard's corpus, as data. */
export type Step = CallStep | BatchStep | OtherStep;

/** A call of a tool. */
export interface CallStep {
  readonly call: string;
  /** Names the call for later steps. */
  readonly id?: string;
  /** Absent = the door that drives the run. */
  readonly door?: Door;
  /** Whose credential; absent = the first API key. All of `token…` are one person; all others are one agent. */
  readonly by?: "key" | "second" | "other" | "token" | "token-again" | "token-phone";
  /** The name of a session that an earlier step opened. */
  readonly session?: string;
  /** The exposed name; absent = the call names the tool's id where the door can. */
  readonly name?: string;
  readonly async?: true;
  /** Reads the answer as server-sent events. */
  readonly stream?: true;
  /** The idempotency key. */
  readonly key?: string;
  /** The call begins before everything is read, so it cannot carry what it has not read. */
  readonly early?: true;
}

/** One JSON-RPC batch of the protocol revision that has them. */
interface BatchStep {
  readonly batch: readonly CallStep[];
}

type OtherStep =
  /** Calls at the same time. */
  | { readonly together: readonly CallStep[] }
  | { readonly open: string; readonly by?: CallStep["by"] }
  /** Deletes a session, as its end does. */
  | { readonly end: string }
  /** Runs a queued call to its end. */
  | { readonly finish: string }
  /** Runs a queued call while a reader follows its events in another run. */
  | { readonly follow: string; readonly by?: CallStep["by"] }
  /** Reads the kept answer of a call, as a call or as a task. */
  | { readonly read: string; readonly by?: CallStep["by"]; readonly door?: Door }
  | { readonly approve: string }
  /** Lets the time of a label pass. */
  | { readonly expire: string }
  /** A person clears a label. */
  | { readonly clear: string }
  /** Saves a changed configuration until the run ends. */
  | { readonly save: Change };

/** The configurations of the corpus: the trifecta rule, and what a run changes. */
export type Change = "renamed" | "moved" | "approving" | "other-rule" | "granted" | "replaced";

/** One run: what an agent does, step by step. */
export interface Run {
  readonly name: string;
  /** The doors that drive the calls that name none; absent = REST, MCP and a script. */
  readonly doors?: readonly Door[];
  /** The configuration from the beginning; absent = the trifecta rule hides. */
  readonly under?: Change;
  readonly steps: readonly Step[];
  /** How many sends must arrive at the upstream; absent = one. For benign runs only. */
  readonly sends?: number;
}
