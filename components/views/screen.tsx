"use client";

import { lazy, use, type ComponentType } from "react";
import type { ResourceFacts, ScreenProps } from "@/components/resource/view";
import { InBrowser } from "@/components/ui/lazy-screen";
import { loadOnce } from "@/components/ui/load-once";
import { views } from "@/components/views";
import type { ResourceName } from "@/lib/resources";

type Show = "list" | "new" | "detail";
/** A screen accepts any resource, because its facts and its view are always of the same resource. */
type Body = ComponentType<ScreenProps<ResourceName>>;

const loads: Record<Show, () => Promise<{ default: Body }>> = {
  list: loadOnce(async () => ({
    default: (await import("@/components/resource/list/resource-list")).ResourceList as Body,
  })),
  new: loadOnce(async () => ({
    default: (await import("@/components/resource/editor/resource-new")).ResourceNew as Body,
  })),
  detail: loadOnce(async () => ({
    default: (await import("@/components/resource/detail/resource-detail")).ResourceDetail as Body,
  })),
};
const bodies: Record<Show, Body> = { list: lazy(loads.list), new: lazy(loads.new), detail: lazy(loads.detail) };

interface PageProps<R extends ResourceName> {
  facts: ResourceFacts<R>;
  show: Show;
  /** The id of the row, for `detail`. */
  id?: string | undefined;
}

/** A screen of one resource: its list, a new row, or one row. */
export function Screen<R extends ResourceName>(props: PageProps<R>) {
  return (
    <InBrowser>
      <Loaded {...props} />
    </InBrowser>
  );
}

function Loaded<R extends ResourceName>({ facts, show, id = "" }: PageProps<R>) {
  const Body = bodies[show];
  // Starts to load the screen, so that it loads beside the view.
  loads[show]().catch(() => undefined);
  const view = use(views[facts.resource]());
  return <Body key={id} {...({ facts, view, id } as unknown as ScreenProps<ResourceName>)} />;
}
