import { parseAsInteger, parseAsString, parseAsStringLiteral, useQueryStates } from "nuqs";
import { useState } from "react";
import type { ComparisonBody } from "@/components/preview/use-preview";
import { completeBody, type PreviewDraft } from "@/components/preview/draft";
import { readFromTab, storeInTab } from "@/components/preview/tab-storage";

const COMPARISONS = ["caller", "revision", "draft"] as const;
export type Comparing = (typeof COMPARISONS)[number];

const parsers = {
  /** Absent: one preview. */
  compare: parseAsStringLiteral(COMPARISONS),
  than: parseAsInteger,
  /** The draft document, stored in this tab. */
  draft: parseAsString,
  /** The side whose inputs are shown. */
  side: parseAsStringLiteral(["first", "second"]).withDefault("first"),
  /** Under whose rules, or as whom, the selected tool is explained. */
  shown: parseAsStringLiteral(["before", "after"]).withDefault("after"),
};

/** The comparison and how to change it. */
export interface ComparingState {
  readonly compare: Comparing | null;
  readonly than: number | null;
  readonly document: string;
  readonly side: "first" | "second";
  readonly shown: "before" | "after";
  readonly choose: (compare: Comparing | null) => void;
  readonly show: (part: { side?: "first" | "second"; shown?: "before" | "after"; than?: number | null }) => void;
  readonly type: (text: string) => void;
}

/** The comparison, stored in the URL and this tab. */
export function useComparing(): ComparingState {
  const [url, setUrl] = useQueryStates(parsers);
  const [document, setDocument] = useState(() => readFromTab("document", url.draft) ?? "");
  return {
    ...url,
    document,
    choose: (compare: Comparing | null) =>
      void setUrl({ compare, side: null, shown: null, than: null }, { history: "push" }),
    show: (part: { side?: "first" | "second"; shown?: "before" | "after"; than?: number | null }) =>
      void setUrl(part, { history: "than" in part ? "push" : "replace" }),
    type: (text: string) => {
      setDocument(text);
      void setUrl({ draft: storeInTab("document", url.draft, text) });
    },
  };
}

/** The request of a comparison; `null` while something of it is not chosen yet. */
export function toComparisonBody(
  { compare, than, document }: Pick<ComparingState, "compare" | "than" | "document">,
  first: PreviewDraft,
  second: PreviewDraft,
): ComparisonBody | null {
  const [one, other] = [completeBody(first), completeBody(second)];
  if (one === null) return null;
  if (compare === "caller") return other === null ? null : { before: one, after: other };
  if (compare === "revision") return than === null ? null : { before: { ...one, revision: than }, after: one };
  if (compare !== "draft" || document.trim() === "") return null;
  const { revision: _none, ...inputs } = one;
  return { before: one, after: { ...inputs, config: document } };
}
