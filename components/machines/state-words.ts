// One sentence in the agent's form, the machine's editor and the preview (docs/reference/decision.md#state).

/** Who sets the state of a named machine. */
export const STATE_FROM_SESSION =
  "Only successful calls change the state of a session. With a state machine, requests without a session are then refused";
/** The sentence for an agent that may set the state. */
export const STATE_FROM_AGENT =
  "Warning: with a state machine, this agent can set any state in any request. The server cannot verify it";

/** What a terminal state means: the server only uses it for warnings. */
export const TERMINAL_HINT = "The run may end here: no warning, even if no tool leaves the state";
