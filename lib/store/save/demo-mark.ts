import type { Actor } from "@/lib/store/save/change";

/** The actor of a first start in the history. */
export const SETUP: Actor = { kind: "system", name: "setup", role: "admin" };
/** The note of the revision that loaded the demo. `countDemo` and `removeDemo` find the demo's rows by it. */
export const DEMO_NOTE = "demo";
/** The requester of the demo's change request. It is the program, so that an installation with one person can try an approval. */
export const DEMO: Actor = { kind: "system", name: "demo", role: "admin" };
