import { useState } from "react";
import { useGo } from "@/components/resource/go";
import { toOptions } from "@/components/ui/forms/options";
import type { CallerChoice } from "@/components/preview/draft";
import { OnePreview, type PreviewView } from "@/components/preview/one-preview";
import { previewAddress, useOwnDraft } from "@/components/preview/use-draft";
import { WhoSees } from "@/components/preview/inputs/who-sees";
import { Button } from "@/components/ui/button";
import { Drawer } from "@/components/ui/overlays/drawer";
import { Segmented } from "@/components/ui/forms/segmented";
import type { CallersInput } from "@/lib/contracts/decisions/callers";

interface PreviewDrawerProps {
  /** The page's subject, if callers can see it. */
  about: CallersInput | null;
  /** The caller of the first preview. */
  caller: CallerChoice;
  onClose: () => void;
}

type Part = "who" | "preview";

/** A drawer over a page. Shows which callers see the page's subject, and the preview of one caller. */
export function PreviewDrawer({ about, caller, onClose }: PreviewDrawerProps) {
  const go = useGo();
  const control = useOwnDraft(caller);
  const [part, setPart] = useState<Part>(about === null ? "preview" : "who");
  const [view, setView] = useState<PreviewView>({ tab: "visible", tool: about?.kind === "tool" ? about.name : null });
  const openPage = () => {
    go(previewAddress(control.draft, view.tool));
    onClose();
  };
  return (
    <Drawer
      title="Preview as agent"
      onClose={onClose}
      actions={
        <>
          {about !== null && (
            <Segmented<Part>
              label="Shown"
              value={part}
              onChange={setPart}
              options={toOptions({ who: "Who can see this?", preview: "As one caller" })}
            />
          )}
          {part === "preview" && (
            <Button size="sm" variant="ghost" onClick={openPage}>
              Open as page
            </Button>
          )}
        </>
      }
    >
      {about !== null && part === "who" ? (
        <div className="flex flex-col gap-3 p-5">
          <h2 className="text-lg font-semibold">
            {about.kind === "policy" ? "Which callers does " : "Who can see "}
            <code className="font-mono text-[0.94em]">{about.name}</code>
            {about.kind === "policy" ? " match?" : "?"}
          </h2>
          <WhoSees
            about={about}
            onCaller={(chosen) => {
              control.change({ caller: chosen });
              setPart("preview");
            }}
          />
        </div>
      ) : (
        <OnePreview
          {...control}
          heading={<h2 className="text-base font-semibold">Inputs</h2>}
          view={view}
          onView={(changed) => setView((before) => ({ ...before, ...changed }))}
        />
      )}
    </Drawer>
  );
}
