"use client";

import { ResourceEditor } from "@/components/resource/resource-editor";
import type { ScreenProps } from "@/components/resource/view";
import type { ResourceName } from "@/lib/resources";

/** A new one. */
export function ResourceNew<R extends ResourceName>({ facts, view }: ScreenProps<R>) {
  return (
    <div className="flex min-h-full flex-col">
      <h1 className="px-5 pt-4 text-lg font-semibold tracking-tight">New {facts.words[0]}</h1>
      <ResourceEditor facts={facts} view={view} row={null} />
    </div>
  );
}
