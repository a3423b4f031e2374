"use client";

import { useQueryState } from "nuqs";
import { keptDraft } from "@/components/resource/kept-draft";
import { ResourceEditor } from "@/components/resource/resource-editor";
import type { ScreenProps } from "@/components/resource/view";
import type { ResourceName } from "@/lib/resources";

/** A new one, or one that was begun elsewhere. */
export function ResourceNew<R extends ResourceName>({ facts, view }: ScreenProps<R>) {
  const [draft] = useQueryState("draft");
  return (
    <div className="flex min-h-full flex-col">
      <h1 className="px-5 pt-4 text-lg font-semibold tracking-tight">New {facts.words[0]}</h1>
      <ResourceEditor facts={facts} view={view} row={null} start={keptDraft(facts.resource, draft)} />
    </div>
  );
}
