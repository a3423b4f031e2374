import { parseAsString, parseAsStringLiteral, useQueryStates } from "nuqs";
import { CompareMenu } from "@/components/preview/inputs/compare-menu";
import { BLANK_DRAFT } from "@/components/preview/draft";
import { OnePreview, type PreviewView } from "@/components/preview/one-preview";
import { TwoPreviews } from "@/components/preview/two-previews";
import { useComparing, type Comparing } from "@/components/preview/use-comparing";
import { useDraft } from "@/components/preview/use-draft";

const parsers = { tab: parseAsStringLiteral(["visible", "hidden"]).withDefault("visible"), tool: parseAsString };

/** The page "Preview as agent": the tools of one caller with the reasons, or a comparison of two previews. */
export function PreviewScreen() {
  const first = useDraft();
  const second = useDraft("second");
  const comparing = useComparing();
  const [view, setView] = useQueryStates(parsers);
  const changeView = (part: Partial<PreviewView>) =>
    void setView(part, { history: "tab" in part ? "push" : "replace" });
  const startComparison = (kind: Comparing) => {
    // The second caller starts as a copy, so that only later edits differ.
    if (kind === "caller") second.change(first.draft);
    comparing.choose(kind);
  };
  const endComparison = () => {
    second.change(BLANK_DRAFT);
    comparing.choose(null);
  };
  const heading = <h1 className="text-lg font-semibold whitespace-nowrap">Preview as agent</h1>;
  if (comparing.compare !== null)
    return (
      <TwoPreviews
        heading={heading}
        first={first}
        second={second}
        comparing={{ ...comparing, compare: comparing.compare }}
        onCompare={startComparison}
        onEnd={endComparison}
        tool={view.tool}
        onTool={(tool) => changeView({ tool })}
      />
    );
  return (
    <OnePreview
      {...first}
      heading={heading}
      view={view}
      onView={changeView}
      actions={<CompareMenu comparing={null} onCompare={startComparison} onEnd={endComparison} />}
    />
  );
}
