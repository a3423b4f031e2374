import type { Input } from "@/lib/resources";

/** The initial value of a new source. */
export const BLANK_SOURCE: Input<"sources"> = {
  name: "",
  kind: "http",
  displayName: null,
  description: "",
  url: null,
  command: null,
  enabled: true,
  disabledReason: null,
  auth: { mode: "none" },
  joinNewOperations: "review",
  syncMinutes: null,
  outputCheck: null,
  limits: { concurrency: null },
  idempotencyHeader: null,
};
