import { Tabs as Base } from "@base-ui/react/tabs";
import type { ReactNode } from "react";
import { cn } from "@/components/ui/cn";
import { watchEdges } from "@/components/ui/scroll-frame";

interface TabsProps<V extends string> {
  value: V;
  onChange: (value: V) => void;
  tabs: readonly { value: V; label: ReactNode; count?: number | undefined }[];
  children: ReactNode;
  className?: string | undefined;
  /** The name of the tabs, for screen readers. */
  "aria-label": string;
}

/** Tabs over `TabPanel` children. The caller stores the open tab (in the URL, if it is a view). */
export function Tabs<V extends string>({ value, onChange, tabs, children, className, ...rest }: TabsProps<V>) {
  return (
    <Base.Root
      value={value}
      onValueChange={(next) => onChange(next as V)}
      className={cn("flex min-h-0 flex-col", className)}
    >
      <Base.List
        aria-label={rest["aria-label"]}
        // A phone has one line of tabs, which scrolls.
        ref={watchEdges}
        className="scroll-fade base-ui-disable-scrollbar relative flex shrink-0 gap-x-4 border-b border-line max-sm:overflow-x-auto max-sm:overflow-y-hidden sm:flex-wrap"
      >
        {tabs.map((tab) => (
          <Base.Tab
            key={tab.value}
            value={tab.value}
            className="flex h-8 shrink-0 items-center gap-1.5 rounded-t max-sm:h-10 border-b-2 border-transparent text-sm font-medium text-muted select-none hover:text-ink data-active:border-accent data-active:text-ink"
          >
            {tab.label}
            {tab.count !== undefined && (
              <span className="text-xs font-normal text-faint tabular-nums">{tab.count.toLocaleString("en")}</span>
            )}
          </Base.Tab>
        ))}
      </Base.List>
      {children}
    </Base.Root>
  );
}

interface TabPanelProps {
  value: string;
  children: ReactNode;
  className?: string | undefined;
  /** Stays mounted while hidden: a draft inside is not lost. */
  keep?: boolean | undefined;
}

export function TabPanel({ value, children, className, keep = false }: TabPanelProps) {
  return (
    <Base.Panel
      value={value}
      keepMounted={keep}
      className={cn("min-h-0 pt-4 outline-offset-4 [&[hidden]]:hidden", className)}
    >
      {children}
    </Base.Panel>
  );
}
