import { BLANK_SELECTOR } from "@/lib/access/matching/selector-clauses";
import type { Input } from "@/lib/resources";

type Selector = Input<"groups">["selectors"][number];

/** A filter that a selector cannot express, and why. */
interface Left {
  /** The filter as the list calls it. */
  readonly filter: string;
  readonly why: string;
}

/** Why a selector cannot say a filter of the list of tools, by the filter's key. */
const UNSAYABLE: Readonly<Record<string, Left>> = {
  q: {
    filter: "Text",
    why: "a search covers ids, names, descriptions and paths. A selector matches a pattern in one of them.",
  },
  group: { filter: "Assigned group", why: "tools assigned to this group are already members." },
  status: {
    filter: "Status",
    why: "membership does not depend on the status. Deprecated and quarantined tools are hidden in any case.",
  },
  enabled: { filter: "Enabled", why: "membership does not depend on it. Disabled tools are hidden in any case." },
  category: { filter: "Category", why: "selectors cannot use it. Give the tools a label instead." },
  capability: { filter: "Capability", why: "selectors cannot use it. Give the tools a label instead." },
  requiresApproval: { filter: "Approval", why: "selectors cannot use it. Give the tools a label instead." },
};

/** The filters of the list of tools, as its address names them. */
export const TOOL_FILTERS = ["source", "method", "tag", "label", "hasSideEffects", ...Object.keys(UNSAYABLE)];

/**
 * The selector that matches the same tools as the list's filters, and the filters that no selector can express. `null`:
 * nothing remains to match.
 */
export function selectorFrom(filters: Readonly<Record<string, string | null | undefined>>): {
  readonly selector: Selector | null;
  readonly left: readonly Left[];
} {
  const { source, method, tag, label, hasSideEffects } = filters;
  const selector: Selector = {
    ...BLANK_SELECTOR,
    source: source ? literally(source) : null,
    method: method ? literally(method) : null,
    requiredTags: tag ? [tag] : [],
    requiredLabels: label ? [label] : [],
    hasSideEffects: hasSideEffects ? hasSideEffects === "true" : null,
  };
  const isExpressed = Boolean(source || method || tag || label || hasSideEffects);
  const left = Object.entries(UNSAYABLE).flatMap(([key, unsayable]) => (filters[key] ? [unsayable] : []));
  return { selector: isExpressed ? selector : null, left };
}

/** A pattern that matches exactly this text. Brackets make `*`, `?` and `[` literal (docs/reference/decision.md#selector). */
function literally(text: string): string {
  return text.replaceAll(/[*?[]/g, (character) => `[${character}]`).replace(/^r(?=egex:)/, "[r]");
}
