import { parseAsInteger, parseAsStringLiteral, useQueryStates } from "nuqs";
import { ChangeSetPanel } from "@/components/configuration/change-set-panel";
import { ExportPanel } from "@/components/configuration/export-panel";
import { ImportPanel } from "@/components/configuration/import-panel";
import { RevisionDiffView } from "@/components/configuration/revision-diff-view";
import { RevisionList } from "@/components/configuration/revision-list";
import { TabPanel, Tabs } from "@/components/ui/tabs";
import { toContent } from "@/components/ui/to-content";

const TABS = [
  { value: "revisions", label: "Revisions", writes: false },
  { value: "change-set", label: "Change set", writes: true },
  { value: "import", label: "Import", writes: true },
  { value: "export", label: "Export", writes: false },
] as const;

/** The revisions of the configuration, the person's change set, the import and the export. The URL holds the tab and the compared revisions. */
export function ConfigurationScreen({ canWrite }: { canWrite: boolean }) {
  const [shown, setShown] = useQueryStates(
    {
      tab: parseAsStringLiteral(TABS.map(({ value }) => value)).withDefault("revisions"),
      from: parseAsInteger,
      to: parseAsInteger,
    },
    { history: "push" },
  );
  const { from, to } = shown;
  const tabs = TABS.filter(({ writes }) => canWrite || !writes);
  const tab = tabs.some(({ value }) => value === shown.tab) ? shown.tab : "revisions";
  const showApplied = () => {
    toContent();
    void setShown({ tab: "revisions" });
  };
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
          <>
            <TabPanel value="change-set">
              <ChangeSetPanel onApplied={showApplied} />
            </TabPanel>
            <TabPanel value="import" keep>
              <ImportPanel onApplied={showApplied} />
            </TabPanel>
          </>
        )}
        <TabPanel value="export">
          <ExportPanel />
        </TabPanel>
      </Tabs>
    </div>
  );
}
