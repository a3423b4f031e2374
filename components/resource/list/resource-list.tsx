import { Plus } from "lucide-react";
import { useRef } from "react";
import { useKey } from "@/components/keyboard/use-key";
import { List } from "@/components/resource/list/list";
import { idOf, type BulkAction, type Filter, type ScreenProps } from "@/components/resource/view";
import { lazyPart } from "@/components/ui/lazy-part";
import { LinkButton } from "@/components/ui/link-button";
import type { ResourceName, Row } from "@/lib/resources";
import { CONFIG_SECTIONS, type ConfigSection } from "@/lib/resources/sections";

const Peek = lazyPart(async () => (await import("@/components/resource/peek")).ResourcePeek);

const NO_FILTERS: readonly Filter[] = [];
const NO_ACTIONS: readonly BulkAction[] = [];

/** The list of a resource, with the columns of its view and the links that create a row. */
export function ResourceList<R extends ResourceName>({ facts, view }: ScreenProps<R>) {
  const { resource, words, canWrite } = facts;
  const { Above } = view;
  return (
    <List<Row<R>>
      list={resource}
      words={words}
      columns={view.columns}
      idOf={(row) => idOf(facts, row)}
      filters={view.filters ?? NO_FILTERS}
      {...(view.chips !== undefined && { chips: view.chips })}
      sort={view.sort}
      whenEmpty={view.whenEmpty}
      canWrite={canWrite}
      exports
      bulk={canWrite && isSection(resource) ? { section: resource, actions: view.bulk ?? NO_ACTIONS } : undefined}
      actions={canWrite && view.Actions !== undefined ? <view.Actions /> : undefined}
      begin={
        canWrite ? (
          <NewLink href={`/admin/${resource}/new`} word={words[0]} main={view.prefersActions !== true} />
        ) : undefined
      }
      {...(Above !== undefined && { renderAbove: () => <Above /> })}
      renderPeek={(id, onClose) => (
        <Peek facts={facts} view={view as unknown as ScreenProps<ResourceName>["view"]} id={id} onClose={onClose} />
      )}
    />
  );
}

function isSection(resource: ResourceName): resource is ConfigSection {
  return CONFIG_SECTIONS.some((section) => section === resource);
}

function NewLink({ href, word, main }: { href: string; word: string; main: boolean }) {
  const link = useRef<HTMLAnchorElement>(null);
  useKey("create", () => link.current?.click());
  return (
    <LinkButton ref={link} href={href} variant={main ? "primary" : "secondary"}>
      <Plus aria-hidden />
      <span>
        {main ? (
          <>
            New <span className="max-sm:sr-only max-sm:in-data-empty:not-sr-only">{word}</span>
          </>
        ) : (
          `Other ${word}`
        )}
      </span>
    </LinkButton>
  );
}
