import { createHmac } from "node:crypto";
import { canonicalText } from "@/lib/access/model/canonical";
import type { Json, JsonObject } from "@/lib/access/model/configuration";
import type { Label } from "@/lib/access/model/flow";

// The content of a call's two log rows (docs/reference/execution.md#pipeline).

/** A body as the log stores it: already redacted and limited in size (lib/audit/record/body.ts). */
export interface StoredBody {
  /** JSON text; only its beginning when `cut` is set. */
  readonly text: string;
  /** Keyed digest of the whole redacted value. */
  readonly digest: string;
  /** 32 random bytes for this body alone, stored and erased with it. */
  readonly key: Uint8Array<ArrayBuffer>;
  /** HMAC-SHA-256 (hex) of the stored text under `key`. Part of the sealed row. */
  readonly commitment: string;
  /** SHA-256 (hex) and size in bytes of the whole redacted text, when the text was cut. */
  readonly cut: { readonly sha256: string; readonly bytes: number } | null;
}

/**
 * The sealed row's commitment to a body: HMAC-SHA-256 (RFC 2104) in hex, with a separate key for each body. Key and text
 * together prove that no character changed. After both are erased, the commitment reveals nothing.
 */
export function commitmentOf(
  { text, digest, cut }: Pick<StoredBody, "text" | "digest" | "cut">,
  key: Uint8Array,
): string {
  return createHmac("sha256", key)
    .update(canonicalText([text, digest, cut?.sha256 ?? null, cut?.bytes ?? null]))
    .digest("hex");
}

/** The intent row: who called which tool, and the decision with its revision. */
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
  /** The call of the script that made this call. */
  readonly parent: string | null;
  /** W3C Trace Context: 32 hexadecimal digits. */
  readonly traceId: string | null;
}

/** The facts that a decision was based on. A row is written only while all of them still hold. */
export interface Preconditions {
  readonly revision: number;
  /** The API key and its agent. A token's issuer and agent are part of the revision. */
  readonly key: { readonly id: string; readonly agent: string } | null;
  readonly session: { readonly id: string; readonly version: number; readonly hold: SessionHold | null } | null;
  /** `null` = the decision read no labels, and the call raises none. */
  readonly labels: LabelPreconditions | null;
}

/** The labels of a call's decision, and those that it raises (docs/reference/decision.md#flow). */
export interface LabelPreconditions {
  readonly issuer: string;
  readonly subject: string;
  /** The call's session; `null` = none. */
  readonly sessionId: string | null;
  /** The labels that the run held at the decision, sorted; `null` = no rule reads labels. */
  readonly held: readonly string[] | null;
  /** Written with the intent: from then on the run or its caller holds them. Refusals raise nothing. */
  readonly raises: readonly RaisedLabel[];
}

/** A label that a call raises. */
export interface RaisedLabel {
  readonly label: string;
  /** The session that holds it; `""` = the caller. */
  readonly session: string;
  readonly callId: string;
  readonly toolId: string;
  readonly at: Date;
  readonly until: Date | null;
}

/** Requests that the call holds its session from intent to outcome, so that no other call moves the session meanwhile. */
export interface SessionHold {
  readonly callId: string;
  /** The process whose death ends the hold. */
  readonly instance: string;
  /** Maximum duration of the hold. */
  readonly seconds: number;
}

/** A label that a call raised, in the row of its outcome. */
export interface LoggedRaise {
  readonly label: string;
  readonly scope: Label["scope"];
  /** ISO 8601; `null` = no end. */
  readonly until: string | null;
}

/** The labels of a result, and their holder. */
interface RaisedAgain {
  readonly issuer: string;
  readonly subject: string;
  readonly raises: readonly RaisedLabel[];
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
  /** Absent = the call raised no label. */
  readonly raised?: readonly LoggedRaise[];
  /** The labels that the result raises again if they ended or were cleared while the call ran; absent = none. */
  readonly raisesAgain?: RaisedAgain;
  readonly result: StoredBody | null;
}
