/** No limits on calls. */
export const UNLIMITED = { rate: null, perDay: null, concurrency: null };

/** A tool without limits. */
export const NO_TOOL_LIMITS = {
  timeoutSeconds: null,
  retries: null,
  answerMiB: null,
  ...UNLIMITED,
  perCaller: UNLIMITED,
};
