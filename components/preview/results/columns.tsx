import { ChevronDown } from "lucide-react";
import { useEffect, useRef, useState, type ReactNode } from "react";
import { Button } from "@/components/ui/button";
import { cn } from "@/components/ui/cn";

interface ColumnsProps {
  heading: ReactNode;
  /** The caller, when the inputs are collapsed: "persona first-line". */
  caller: string;
  /** Whether the caller is chosen. If not, the inputs begin unfolded on a phone. */
  isCallerChosen: boolean;
  inputs: ReactNode;
  results: ReactNode;
  explanation: ReactNode;
  /** The explained tool. On a phone, the page scrolls to the explanation of a tool that a person selects. */
  explained: string | null;
}

/** An explanation with less of it in the window counts as below the window. */
const PEEK_PX = 120;

/**
 * Inputs, resolved tools, explanation: three columns where there is room (a page, a wide drawer), two and a row
 * below in a narrow window, and one after the other on a phone, where the inputs fold away.
 */
export function Columns(props: ColumnsProps) {
  const { heading, caller, isCallerChosen, inputs, results, explanation, explained } = props;
  const aside = useShownWhenSelected(explained);
  const [unfolded, setUnfolded] = useState(!isCallerChosen);
  return (
    <div className="@container flex min-h-0 flex-1 flex-col">
      <div className="grid flex-1 grid-cols-1 @max-3xl:content-start @3xl:min-h-0 @3xl:grid-cols-[16rem_minmax(0,1fr)] @3xl:grid-rows-[minmax(0,3fr)_minmax(0,2fr)] @5xl:grid-cols-[17rem_minmax(0,1fr)_21rem] @5xl:grid-rows-[minmax(0,1fr)] @7xl:grid-cols-[19rem_minmax(0,1fr)_26rem]">
        <section
          aria-label="Caller and request"
          className="border-line p-5 @max-3xl:border-b @3xl:row-span-2 @3xl:min-h-0 @3xl:overflow-y-auto @3xl:border-r @5xl:row-span-1"
        >
          <div className="flex min-h-7 items-center gap-2 @3xl:mb-3">{heading}</div>
          <Button
            aria-expanded={unfolded}
            onClick={() => setUnfolded(!unfolded)}
            className="mt-2 w-full justify-start @3xl:hidden"
          >
            <span className="min-w-0 flex-1 truncate text-left first-letter:uppercase">{caller}</span>
            <span className="font-normal text-muted">{unfolded ? "Hide" : "Change"}</span>
            <ChevronDown aria-hidden className={cn("transition-transform", unfolded && "rotate-180")} />
          </Button>
          <div className={cn(unfolded ? "@max-3xl:mt-3" : "@max-3xl:hidden")}>{inputs}</div>
        </section>
        <section aria-label="Tools" className="flex min-w-0 flex-col p-5 @3xl:min-h-0 @3xl:overflow-y-auto">
          {results}
        </section>
        <aside
          ref={aside}
          aria-label="Explanation"
          tabIndex={0}
          className="min-w-0 border-line bg-canvas p-5 @max-5xl:border-t @3xl:min-h-0 @3xl:overflow-y-auto @5xl:border-l"
        >
          {explanation}
        </aside>
      </div>
    </div>
  );
}

/** Scrolls to the explanation of another tool, if it is below the window. A tool that the address names is not scrolled to. */
function useShownWhenSelected(explained: string | null) {
  const aside = useRef<HTMLElement>(null);
  const last = useRef(explained);
  useEffect(() => {
    if (explained === last.current) return;
    last.current = explained;
    if (explained !== null && (aside.current?.getBoundingClientRect().top ?? 0) > window.innerHeight - PEEK_PX)
      aside.current?.scrollIntoView();
  }, [explained]);
  return aside;
}
