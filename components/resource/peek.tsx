import { Link2 } from "lucide-react";
import type { ReactNode } from "react";
import { useRow } from "@/components/resource/use-row";
import { WhenLoaded } from "@/components/resource/when-loaded";
import { hrefOf, type ScreenProps } from "@/components/resource/view";
import { CopyButton } from "@/components/ui/copy-button";
import { Json } from "@/components/ui/json/json";
import { Kbd } from "@/components/ui/kbd";
import { LinkButton } from "@/components/ui/link-button";
import { PeekPanel } from "@/components/ui/overlays/peek-panel";
import { Fact, Facts } from "@/components/ui/text/facts";
import type { ResourceName } from "@/lib/resources";

interface PeekProps {
  id: string;
  title: string;
  description: string;
  href: string;
  children: ReactNode;
  onClose: () => void;
}

/** The peek panel of a row: its name, a link to its page, and its content. */
export function Peek({ id, title, description, href, children, onClose }: PeekProps) {
  return (
    <PeekPanel
      title={title}
      description={description}
      onClose={onClose}
      finalFocus={() => document.querySelector<HTMLElement>(`[data-row="${CSS.escape(id)}"]`)}
      actions={
        <>
          <LinkButton href={href} size="sm">
            Open <Kbd>Ctrl Enter</Kbd>
          </LinkButton>
          <CopyButton text={id} label="Copy id" />
          <CopyButton text={() => new URL(href, window.location.origin).href} label="Copy link" icon={Link2} />
        </>
      }
    >
      {children}
    </PeekPanel>
  );
}

/** One row of a resource: its columns, and all of it as JSON. */
export function ResourcePeek<R extends ResourceName>({
  facts,
  view,
  id,
  onClose,
}: ScreenProps<R> & { onClose: () => void }) {
  const row = useRow(facts.resource, id);
  return (
    <Peek id={id} title={id} description={facts.words[0]} href={hrefOf(facts.resource, id)} onClose={onClose}>
      <WhenLoaded of={row} skeleton="h-64">
        {(data) => (
          <div className="flex flex-col gap-4">
            {/* The panel shows in full what the list truncates. */}
            <div className="[&_.truncate]:max-w-none [&_.truncate]:break-words [&_.truncate]:whitespace-normal">
              <Facts>
                {view.columns.slice(1).map(({ id: column, header, cell }) => (
                  <Fact key={column} label={header}>
                    {cell(data, facts.canWrite)}
                  </Fact>
                ))}
              </Facts>
            </div>
            <Json value={view.toInput(data)} label="definition" />
          </div>
        )}
      </WhenLoaded>
    </Peek>
  );
}
