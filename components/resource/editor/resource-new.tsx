import { useState } from "react";
import { parseAsString, parseAsStringLiteral, useQueryStates } from "nuqs";
import { useStagedEdit } from "@/components/configuration/change-set";
import { BACK_PAGES, backAddress, storedDraft } from "@/components/resource/editor/stored-draft";
import { ResourceEditor } from "@/components/resource/editor/resource-editor";
import type { ScreenProps } from "@/components/resource/view";
import { cn } from "@/components/ui/cn";
import type { Input, ResourceName } from "@/lib/resources";

const PARSERS = { draft: parseAsString, staged: parseAsString, back: parseAsStringLiteral(BACK_PAGES) };

/** The editor of a new row, which may start from a draft of another page. */
export function ResourceNew<R extends ResourceName>({ facts, view }: ScreenProps<R>) {
  const [{ draft, staged: name, back }] = useQueryStates(PARSERS);
  const [staged] = useState(useStagedEdit(facts.resource, name));
  const start = storedDraft(facts.resource, draft) ?? (staged?.after as Input<R> | undefined) ?? null;
  return (
    <div className="flex min-h-full flex-col">
      <h1
        className={cn(
          "px-5 pt-4 text-lg font-semibold tracking-tight",
          view.fillsPage !== true && "border-b border-line pb-3",
        )}
      >
        New {facts.words[0]}
      </h1>
      <ResourceEditor
        facts={facts}
        view={view}
        row={null}
        start={start}
        staged={staged}
        back={back === null ? undefined : backAddress(back, start)}
      />
    </div>
  );
}
