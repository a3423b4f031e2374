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

/** The URL holds everything except the claims. Claims stay in this tab under a short id, the parameter `in`. */
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
/** The URL keys of the second compared caller: the same keys with a prefix. */
const SECOND_KEYS = Object.fromEntries(keys.map((key) => [key, `b-${key}`])) as Record<keyof typeof parsers, string>;

export interface DraftControl {
  readonly draft: PreviewDraft;
  readonly change: ChangeDraft;
}

/** The draft in the URL and this tab. A choice adds an entry to the browser's history; typing replaces the last one. */
export function useDraft(which: "first" | "second" = "first"): DraftControl {
  const [url, setUrl] = useQueryStates(parsers, which === "second" ? { urlKeys: SECOND_KEYS } : {});
  // What was typed at the present entry of the history. Going back or forward leads to the claims of another entry.
  const [typed, setTyped] = useState<{ readonly id: string | null; readonly text: string } | null>(null);
  const isTyped = typed !== null && typed.id === url.in;
  const claimsText = (isTyped ? typed.text : readFromTab("claims", url.in)) ?? BLANK_DRAFT.claimsText;
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
    const isTyping = how === "type" && text !== undefined;
    // An earlier entry may have the present id. Its claims stay as they are.
    const ownId = isTyping && isTyped ? url.in : null;
    const claimsId =
      text === undefined ? url.in : text === BLANK_DRAFT.claimsText ? null : storeInTab("claims", ownId, text);
    if (isTyping) setTyped({ id: claimsId, text });
    else if (how === "choose") setTyped(null);
    void setUrl({ ...toUrl({ ...draft, ...part }), in: claimsId }, { history: how === "choose" ? "push" : "replace" });
  };
  return { draft, change };
}

/** A draft outside the URL, for a drawer over another page. It starts with `caller`. */
export function useOwnDraft(caller: CallerChoice): DraftControl {
  const [draft, setDraft] = useState({ ...BLANK_DRAFT, caller });
  return { draft, change: (part) => setDraft((before) => ({ ...before, ...part })) };
}

const serialize = createSerializer({ ...parsers, tool: parseAsString });

/** The address of the page that previews a draft, with a tool selected. Stores the claims in this tab. */
export function previewAddress(draft: PreviewDraft, tool: string | null = null): string {
  const hasClaims = draft.caller.kind === "claims" && draft.claimsText !== BLANK_DRAFT.claimsText;
  const claimsId = hasClaims ? storeInTab("claims", null, draft.claimsText) : null;
  return serialize("/admin/preview", { ...toUrl(draft), in: claimsId, tool });
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
