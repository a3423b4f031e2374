import { Dialog as Base } from "@base-ui/react/dialog";
import { X } from "lucide-react";
import type { ReactNode } from "react";
import { IconButton } from "@/components/ui/button";

interface PeekPanelProps {
  title: ReactNode;
  description?: ReactNode;
  /** Links and copy buttons next to the title. The first gets the focus. */
  actions?: ReactNode;
  children: ReactNode;
  onClose: () => void;
  /** The element that gets the focus afterwards. */
  finalFocus: () => HTMLElement | null;
}

/** The page's frame in `app/admin/layout.tsx`, which makes room for the panel. Read lazily, because it needs a document. */
const FRAME = {
  get current() {
    return document.getElementById("main");
  },
};

/** A panel on the right with one row of a list. The list stays usable. */
export function PeekPanel({ title, description, actions, children, onClose, finalFocus }: PeekPanelProps) {
  return (
    <Base.Root open onOpenChange={(open) => !open && onClose()} modal={false} disablePointerDismissal>
      <Base.Portal container={FRAME}>
        <Base.Popup
          data-peek
          finalFocus={() => finalFocus() ?? true}
          className="absolute inset-y-0 right-0 z-30 flex w-full flex-col border-l border-line bg-canvas text-ink outline-none transition-transform duration-150 ease-out data-starting-style:translate-x-8 data-starting-style:opacity-0 md:w-[min(50%,36rem)]"
        >
          <div className="flex items-center gap-2 border-b border-line px-5 py-3">
            <div className="min-w-0 flex-1">
              <Base.Title className="text-base font-semibold max-sm:line-clamp-3 max-sm:break-words sm:truncate">
                {title}
              </Base.Title>
              {description !== undefined && (
                <Base.Description className="truncate text-xs text-muted">{description}</Base.Description>
              )}
            </div>
            {actions}
            <Base.Close render={<IconButton icon={X} label="Close" />} />
          </div>
          <div className="min-h-0 flex-1 overflow-y-auto px-5 py-4">{children}</div>
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  );
}
