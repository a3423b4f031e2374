import {
  createSerializer,
  parseAsArrayOf,
  parseAsBoolean,
  parseAsFloat,
  parseAsInteger,
  parseAsString,
  parseAsStringLiteral,
  useQueryStates,
} from "nuqs";
import { useState } from "react";
import {
  BLANK_DRAFT,
  type CallerChoice,
  type ChangeDraft,
  type GroupChoice,
  type PreviewDraft,
} from "@/components/preview/draft";
import { readFromTab, storeInTab } from "@/components/preview/tab-storage";

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
  labels: names.withDefault([]),
  disabled: parseAsBoolean.withDefault(false),
  revision: parseAsInteger,
};

type Url = Omit<{ [K in keyof typeof parsers]: ReturnType<(typeof parsers)[K]["parseServerSide"]> }, "in">;

const keys = Object.keys(parsers) as (keyof typeof parsers)[];
/** The second of two callers that are compared: the same keys, with a letter before them. */
const SECOND = Object.fromEntries(keys.map((key) => [key, `b-${key}`])) as Record<keyof typeof parsers, string>;

/** A draft and how to change it. */
export interface DraftControl {
  readonly draft: PreviewDraft;
  readonly change: ChangeDraft;
}

/** The draft as the URL and this tab hold it. Choices push; typing replaces. */
export function useDraft(which: "first" | "second" = "first"): DraftControl {
  const [url, setUrl] = useQueryStates(parsers, which === "second" ? { urlKeys: SECOND } : {});
  const [claimsText, setClaimsText] = useState(() => readFromTab("claims", url.in) ?? BLANK_DRAFT.claimsText);
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
    labels: url.labels,
    includeDisabled: url.disabled,
    revision: url.revision,
  };
  const change: ChangeDraft = (part, how = "choose") => {
    const text = part.claimsText;
    const stored =
      text === undefined ? url.in : text === BLANK_DRAFT.claimsText ? null : storeInTab("claims", url.in, text);
    if (text !== undefined) setClaimsText(text);
    void setUrl({ ...toUrl({ ...draft, ...part }), in: stored }, { history: how === "choose" ? "push" : "replace" });
  };
  return { draft, change };
}

/** A draft outside the URL, for a panel over another page, beginning with a caller. */
export function useOwnDraft(caller: CallerChoice): DraftControl {
  const [draft, setDraft] = useState({ ...BLANK_DRAFT, caller });
  return { draft, change: (part) => setDraft((before) => ({ ...before, ...part })) };
}

const serialize = createSerializer({ ...parsers, tool: parseAsString });

/** The address of the preview of a draft, with a tool selected; its claims are stored in this tab. */
export function previewAddress(draft: PreviewDraft, tool: string | null = null): string {
  const free = draft.caller.kind === "claims" && draft.claimsText !== BLANK_DRAFT.claimsText;
  const stored = free ? storeInTab("claims", null, draft.claimsText) : null;
  return serialize("/admin/preview", { ...toUrl(draft), in: stored, tool });
}

function toUrl({
  caller,
  group,
  claimsText: _text,
  includeDisabled,
  capabilities,
  labels,
  ...rest
}: PreviewDraft): Url {
  return {
    ...rest,
    persona: caller.kind === "persona" ? caller.name : null,
    agent: caller.kind === "agent" ? caller.name : null,
    execution: caller.kind === "execution" ? caller.id : null,
    request: group.kind === "all" ? null : group.kind,
    group: group.kind === "chosen" ? [...group.names] : null,
    capabilities: capabilities === null ? null : [...capabilities],
    labels: [...labels],
    disabled: includeDisabled,
  };
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
