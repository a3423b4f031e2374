import type { Json, JsonObject } from "@/lib/access/model/configuration";

// What the two rows of a call say, before they are written (docs/reference/execution.md#pipeline).

/** A body as the log keeps it: redacted and bounded before it comes here (lib/audit/record/body.ts). */
export interface StoredBody {
  /** JSON text; its beginning only when `cut` is set. */
  readonly text: string;
  /** Keyed digest of the whole redacted value. */
  readonly digest: string;
  /** 32 random bytes of this body's own, kept with it and erased with it. */
  readonly key: Uint8Array<ArrayBuffer>;
  /** HMAC-SHA-256 (hex) of what is kept, under `key`: part of the sealed row. */
  readonly commitment: string;
  /** The whole redacted text's SHA-256 (hex) and size in bytes, when the text was cut. */
  readonly cut: { readonly sha256: string; readonly bytes: number } | null;
}

/** What the intent row says: who asked for what, and what was decided under which revision. */
export interface Intent {
  readonly callId: string;
  readonly instance: string;
  readonly requestId: string;
  readonly at: Date;
  readonly door: string;
  readonly issuer: string;
  readonly subject: string;
  readonly agent: string | null;
  readonly client: string | null;
  readonly claims: { readonly digest: string; readonly ciphertext: string };
  readonly toolId: string | null;
  readonly source: string | null;
  readonly asked: string;
  readonly definitionHash: string | null;
  readonly policies: readonly string[];
  readonly groups: readonly string[];
  readonly revision: number;
  readonly session: string | null;
  readonly stateBefore: string | null;
  readonly mode: string | null;
  /** The request as resolved, without claims. */
  readonly request: JsonObject;
  readonly arguments: StoredBody | null;
  readonly argumentsDigest: string | null;
  /** The call of the script that made this one. */
  readonly parent: string | null;
  /** W3C Trace Context: 32 hexadecimal digits. */
  readonly traceId: string | null;
}

/** What the decision was made on. A row is written only while all of it is still so. */
export interface Preconditions {
  readonly revision: number;
  /** The API key that was used and whose it is; a token's issuer and agent are part of the revision. */
  readonly key: { readonly id: string; readonly agent: string } | null;
  readonly session: { readonly id: string; readonly version: number; readonly hold: SessionHold | null } | null;
}

/** Asks that the call holds its session from its intent to its outcome: no other call moves the session meanwhile. */
export interface SessionHold {
  readonly callId: string;
  /** The process whose end ends the hold. */
  readonly instance: string;
  /** How long the hold lasts at most. */
  readonly seconds: number;
}

/** How a call ended. */
export interface Outcome {
  readonly callId: string;
  /** When the call began: `Intent.at`. */
  readonly callAt: Date;
  readonly at: Date;
  readonly status: "succeeded" | "failed" | "denied" | "cancelled";
  readonly code: string | null;
  readonly reason: string | null;
  readonly error: Json;
  readonly stateAfter: string | null;
  readonly attempts: number;
  readonly gatewayMs: number | null;
  readonly upstreamMs: number | null;
  readonly empty: boolean;
  readonly result: StoredBody | null;
}
