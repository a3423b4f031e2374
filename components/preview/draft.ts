import { isObject } from "@/lib/access/model/json";
import type { z } from "zod";
import type { previewInput, PreviewOutput } from "@/lib/contracts/decisions/preview";

export type CallerChoice =
  | { readonly kind: "claims" }
  | { readonly kind: "persona"; readonly name: string }
  | { readonly kind: "agent"; readonly name: string }
  | { readonly kind: "execution"; readonly id: string };

/** The group parameter's three values: not stated, the default request, or stated names (none included). */
export type GroupChoice =
  | { readonly kind: "all" }
  | { readonly kind: "default" }
  | { readonly kind: "chosen"; readonly names: readonly string[] };

/** The content of the inputs column, with text as typed, so that unfinished claims are not lost. */
export interface PreviewDraft {
  readonly caller: CallerChoice;
  readonly claimsText: string;
  readonly group: GroupChoice;
  readonly machine: string | null;
  readonly state: string;
  readonly profile: string | null;
  readonly capabilities: readonly string[] | null;
  readonly intent: string | null;
  readonly confidence: number | null;
  readonly escalated: boolean;
  readonly labels: readonly string[];
  readonly includeDisabled: boolean;
  readonly revision: number | null;
}

/** Nothing stated: free claims `{}`, everything that is granted. */
export const BLANK_DRAFT: PreviewDraft = {
  caller: { kind: "claims" },
  claimsText: "{}",
  group: { kind: "all" },
  machine: null,
  state: "",
  profile: null,
  capabilities: null,
  intent: null,
  confidence: null,
  escalated: false,
  labels: [],
  includeDisabled: false,
  revision: null,
};

/** Changes a part of a draft. Typing adds no entry to the browser's history. */
export type ChangeDraft = (part: Partial<PreviewDraft>, how?: "choose" | "type") => void;

/** The inputs of a logged call, a persona or an agent as free inputs: the starting point for a variation. */
export function toFreeDraft({ claims, request }: Pick<PreviewOutput, "claims" | "request">): PreviewDraft {
  const { group, state, machine, profiles, capabilities, intent, confidence, escalated, labels, includeDisabled } =
    request;
  const profile = profiles.at(-1) ?? MAIN;
  return {
    ...BLANK_DRAFT,
    claimsText: JSON.stringify(claims, null, 2),
    group: group === null ? { kind: "all" } : { kind: "chosen", names: group },
    machine,
    state: state ?? "",
    profile: profile === MAIN ? null : profile,
    capabilities: capabilities.length === 0 ? null : capabilities,
    intent,
    confidence,
    escalated,
    labels,
    includeDisabled,
  };
}

/** The profile of callers without one. */
const MAIN = "main";

/** Whether a caller is chosen: a persona, an agent or a call needs a second choice. */
export function isNamed({ caller }: PreviewDraft): boolean {
  if (caller.kind === "claims") return true;
  return (caller.kind === "execution" ? caller.id : caller.name) !== "";
}

/** Whether a person has chosen the caller. A preview begins with empty claims, which nobody chose. */
export function isCallerChosen(draft: PreviewDraft): boolean {
  return isNamed(draft) && (draft.caller.kind !== "claims" || draft.claimsText !== BLANK_DRAFT.claimsText);
}

/** The body of `POST /api/admin/preview`. */
export type PreviewBody = z.input<typeof previewInput>;

/** The request of a draft, or the error in its claims. */
function toPreviewBody(draft: PreviewDraft): { ok: true; body: PreviewBody } | { ok: false; message: string } {
  const claims =
    draft.caller.kind === "claims" ? parseClaims(draft.claimsText) : { ok: true as const, claims: undefined };
  if (!claims.ok) return claims;
  return {
    ok: true,
    body: {
      ...(claims.claims === undefined ? {} : { claims: claims.claims as NonNullable<PreviewBody["claims"]> }),
      ...callerOf(draft.caller),
      group: groupNamesOf(draft.group),
      machine: draft.machine,
      state: draft.state === "" ? null : draft.state,
      profile: draft.profile,
      capabilities: draft.capabilities === null ? null : [...draft.capabilities],
      intent: draft.intent,
      confidence: draft.confidence,
      escalated: draft.escalated,
      ...(draft.labels.length === 0 ? {} : { labels: [...draft.labels] }),
      includeDisabled: draft.includeDisabled,
      ...(draft.revision === null ? {} : { revision: draft.revision }),
    },
  };
}

/** The request of a draft if it is complete. */
export function completeBody(draft: PreviewDraft): PreviewBody | null {
  const parsed = toPreviewBody(draft);
  return parsed.ok && isNamed(draft) ? parsed.body : null;
}

function callerOf(caller: CallerChoice): Pick<PreviewBody, "persona" | "agent" | "executionId"> {
  if (caller.kind === "persona") return { persona: caller.name };
  if (caller.kind === "agent") return { agent: caller.name };
  if (caller.kind === "execution") return { executionId: caller.id };
  return {};
}

/** The group parameter of a choice. */
export function groupNamesOf(choice: GroupChoice): string[] | null {
  if (choice.kind === "all") return null;
  return choice.kind === "default" ? ["default"] : [...choice.names];
}

/** A JSON object from what was typed; empty text is `{}`. */
export function parseClaims(
  text: string,
): { ok: true; claims: Record<string, unknown> } | { ok: false; message: string } {
  if (text.trim() === "") return { ok: true, claims: {} };
  try {
    const value: unknown = JSON.parse(text);
    if (isObject(value)) return { ok: true, claims: value };
    return { ok: false, message: "Claims are a JSON object: { … }" };
  } catch (error) {
    return { ok: false, message: error instanceof Error ? error.message : "Not JSON" };
  }
}

/**
 * The payload of a pasted JWT, decoded in the browser. The token is never sent and its signature is not checked, because a
 * preview shows what claims would get, not whether they are true.
 */
export function claimsOfJwt(text: string): Record<string, unknown> | null {
  const payload = text
    .trim()
    .replace(/^Bearer\s+/i, "")
    .split(".")[1];
  if (payload === undefined || !/^[A-Za-z0-9_-]+$/.test(payload)) return null;
  try {
    const bytes = Uint8Array.from(atob(payload.replaceAll("-", "+").replaceAll("_", "/")), (char) =>
      char.charCodeAt(0),
    );
    const claims = parseClaims(new TextDecoder().decode(bytes));
    return claims.ok ? claims.claims : null;
  } catch {
    return null;
  }
}
