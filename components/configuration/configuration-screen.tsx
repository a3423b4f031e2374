import { parseAsInteger, parseAsStringLiteral, useQueryStates } from "nuqs";
import { ExportPanel } from "@/components/configuration/export-panel";
import { ImportPanel } from "@/components/configuration/import-panel";
import { RevisionDiffView } from "@/components/configuration/revision-diff-view";
import { RevisionList } from "@/components/configuration/revision-list";
import { TabPanel, Tabs } from "@/components/ui/tabs";
import { toContent } from "@/components/ui/to-content";

const TABS = ["revisions", "import", "export"] as const;

/** The revisions of the configuration, its import and its export. The URL holds the tab and the compared revisions. */
export function ConfigurationScreen({ canWrite }: { canWrite: boolean }) {
  const [shown, setShown] = useQueryStates(
    { tab: parseAsStringLiteral(TABS).withDefault("revisions"), from: parseAsInteger, to: parseAsInteger },
    { history: "push" },
  );
  const { from, to } = shown;
  const tabs = [
    { value: "revisions", label: "Revisions" },
    ...(canWrite ? [{ value: "import", label: "Import" } as const] : []),
    { value: "export", label: "Export" },
  ] as const;
  const tab = tabs.some(({ value }) => value === shown.tab) ? shown.tab : "revisions";
  const compare = (older: number, newer: number) => void setShown({ from: older, to: newer });
  return (
    <div className="flex min-h-0 flex-1 flex-col px-5 py-3">
      <h1 className="sr-only">Configuration</h1>
      <Tabs
        aria-label="Configuration"
        value={tab}
        onChange={(chosen) => void setShown({ tab: chosen, from: null, to: null })}
        tabs={tabs}
        className="flex-1"
      >
        <TabPanel value="revisions" className="flex flex-1 flex-col">
          {from !== null && to !== null ? (
            <RevisionDiffView
              from={from}
              to={to}
              onCompare={compare}
              onBack={() => void setShown({ from: null, to: null })}
            />
          ) : (
            <RevisionList canWrite={canWrite} onCompare={compare} />
          )}
        </TabPanel>
        {canWrite && (
          <TabPanel value="import" keep>
            <ImportPanel
              onApplied={() => {
                toContent();
                void setShown({ tab: "revisions" });
              }}
            />
          </TabPanel>
        )}
        <TabPanel value="export">
          <ExportPanel />
        </TabPanel>
      </Tabs>
    </div>
  );
}
