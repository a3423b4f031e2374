"use client";

import { use, useSyncExternalStore, type ReactNode } from "react";
import { ResourceDetail } from "@/components/resource/resource-detail";
import { ResourceEditor } from "@/components/resource/resource-editor";
import { ResourceList } from "@/components/resource/resource-list";
import type { ResourceFacts, View } from "@/components/resource/view";
import type { ResourceName } from "@/lib/resources";

interface ScreenProps<R extends ResourceName> {
  facts: ResourceFacts<R>;
  /** The same promise at every render: the table of views keeps it. */
  load: () => Promise<View<R>>;
}

/** The list of a resource. */
export function ListScreen<R extends ResourceName>({ facts, load }: ScreenProps<R>) {
  return (
    <Interactive>
      {() => <WithView load={load}>{(view) => <ResourceList facts={facts} view={view} />}</WithView>}
    </Interactive>
  );
}

/** A new one. */
export function NewScreen<R extends ResourceName>({ facts, load }: ScreenProps<R>) {
  return (
    <Interactive>
      {() => (
        <WithView load={load}>
          {(view) => (
            <div className="flex min-h-full flex-col">
              <h1 className="px-5 pt-4 text-lg font-semibold tracking-tight">New {facts.words[0]}</h1>
              <ResourceEditor facts={facts} view={view} row={null} />
            </div>
          )}
        </WithView>
      )}
    </Interactive>
  );
}

/** One of them. */
export function DetailScreen<R extends ResourceName>({ facts, load, id }: ScreenProps<R> & { id: string }) {
  return (
    <Interactive>
      {() => <WithView load={load}>{(view) => <ResourceDetail key={id} facts={facts} view={view} id={id} />}</WithView>}
    </Interactive>
  );
}

function WithView<R extends ResourceName>({
  load,
  children,
}: {
  load: () => Promise<View<R>>;
  children: (view: View<R>) => ReactNode;
}) {
  return children(use(load()));
}

/** Shows its children in the browser only: a form that is seen takes every key that is pressed in it. */
function Interactive({ children }: { children: () => ReactNode }) {
  const ready = useSyncExternalStore(
    () => () => {},
    () => true,
    () => false,
  );
  return ready ? children() : null;
}
