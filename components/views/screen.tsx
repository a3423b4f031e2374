"use client";

import { DetailScreen, ListScreen, NewScreen } from "@/components/resource/resource-screen";
import type { ResourceFacts } from "@/components/resource/view";
import { views } from "@/components/views";
import type { ResourceName } from "@/lib/resources";

interface ScreenProps<R extends ResourceName> {
  facts: ResourceFacts<R>;
  show: "list" | "new" | "detail";
  /** Of the row, for `detail`. */
  id?: string | undefined;
}

/** A screen of any resource, with the resource's own view. */
export function Screen<R extends ResourceName>({ facts, show, id = "" }: ScreenProps<R>) {
  const load = views[facts.resource];
  if (show === "list") return <ListScreen facts={facts} load={load} />;
  if (show === "new") return <NewScreen facts={facts} load={load} />;
  return <DetailScreen facts={facts} load={load} id={id} />;
}
