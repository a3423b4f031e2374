"use client";

import {
  parseAsArrayOf,
  parseAsBoolean,
  parseAsFloat,
  parseAsInteger,
  parseAsString,
  parseAsStringLiteral,
  useQueryStates,
} from "nuqs";
import { useState } from "react";
import { BLANK_DRAFT, type CallerChoice, type GroupChoice, type PreviewDraft } from "@/components/preview/draft";

const names = parseAsArrayOf(parseAsString);

/** Everything but the claims lives in the URL; claims stay in this tab, under a short id. */
const parsers = {
  persona: parseAsString,
  agent: parseAsString,
  execution: parseAsString,
  in: parseAsString,
  request: parseAsStringLiteral(["default", "chosen"]),
  group: names,
  machine: parseAsString,
  state: parseAsString.withDefault(""),
  profile: parseAsString,
  capabilities: names,
  intent: parseAsString,
  confidence: parseAsFloat,
  escalated: parseAsBoolean.withDefault(false),
  disabled: parseAsBoolean.withDefault(false),
  revision: parseAsInteger,
};

/** The draft as the URL and this tab hold it, and how to change it. Choices push; typing replaces. */
export function useDraft(): {
  draft: PreviewDraft;
  change: (part: Partial<PreviewDraft>, how?: "choose" | "type") => void;
} {
  const [url, setUrl] = useQueryStates(parsers);
  const [claimsText, setClaimsText] = useState(() => loadClaims(url.in));
  const draft: PreviewDraft = {
    caller: callerOf(url),
    claimsText,
    group: groupOf(url.request, url.group),
    machine: url.machine,
    state: url.state,
    profile: url.profile,
    capabilities: url.capabilities,
    intent: url.intent,
    confidence: url.confidence,
    escalated: url.escalated,
    includeDisabled: url.disabled,
    revision: url.revision,
  };

  const change = (part: Partial<PreviewDraft>, how: "choose" | "type" = "choose") => {
    const next = { ...draft, ...part };
    const stored = part.claimsText === undefined ? url.in : saveClaims(url.in, part.claimsText);
    if (part.claimsText !== undefined) setClaimsText(part.claimsText);
    void setUrl(
      {
        persona: next.caller.kind === "persona" ? next.caller.name : null,
        agent: next.caller.kind === "agent" ? next.caller.name : null,
        execution: next.caller.kind === "execution" ? next.caller.id : null,
        in: stored,
        request: next.group.kind === "all" ? null : next.group.kind,
        group: next.group.kind === "chosen" ? [...next.group.names] : null,
        machine: next.machine,
        state: next.state,
        profile: next.profile,
        capabilities: next.capabilities === null ? null : [...next.capabilities],
        intent: next.intent,
        confidence: next.confidence,
        escalated: next.escalated,
        disabled: next.includeDisabled,
        revision: next.revision,
      },
      { history: how === "choose" ? "push" : "replace" },
    );
  };
  return { draft, change };
}

function callerOf(url: { persona: string | null; agent: string | null; execution: string | null }): CallerChoice {
  if (url.execution !== null) return { kind: "execution", id: url.execution };
  if (url.agent !== null) return { kind: "agent", name: url.agent };
  if (url.persona !== null) return { kind: "persona", name: url.persona };
  return { kind: "claims" };
}

function groupOf(request: "default" | "chosen" | null, group: string[] | null): GroupChoice {
  if (request === null) return { kind: "all" };
  return request === "default" ? { kind: "default" } : { kind: "chosen", names: group ?? [] };
}

const key = (id: string) => `preview-claims:${id}`;

function loadClaims(id: string | null): string {
  return (id === null ? null : window.sessionStorage.getItem(key(id))) ?? BLANK_DRAFT.claimsText;
}

/** Keeps claims in this tab, out of every address; `id` null = under a new one. @returns the id, for `?in=` */
export function saveClaims(id: string | null, text: string): string {
  const name = id ?? crypto.randomUUID().slice(0, 8);
  window.sessionStorage.setItem(key(name), text);
  return name;
}
