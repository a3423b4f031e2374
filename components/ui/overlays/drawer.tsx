import { Dialog as Base } from "@base-ui/react/dialog";
import { X } from "lucide-react";
import type { ReactNode } from "react";
import { IconButton } from "@/components/ui/button";

interface DrawerProps {
  title: ReactNode;
  /** Links and choices next to the title. */
  actions?: ReactNode;
  children: ReactNode;
  onClose: () => void;
}

/** A wide panel over the page, from the right: another screen for a moment, without leaving this one. */
export function Drawer({ title, actions, children, onClose }: DrawerProps) {
  return (
    <Base.Root open onOpenChange={(open) => !open && onClose()}>
      <Base.Portal>
        <Base.Backdrop className="fixed inset-0 z-40 bg-[light-dark(rgb(15_18_30/0.3),rgb(0_0_0/0.6))] transition-opacity duration-150 data-ending-style:opacity-0 data-starting-style:opacity-0" />
        <Base.Popup className="fixed inset-y-0 right-0 z-50 flex w-[min(100vw,72rem)] flex-col border-l border-line bg-canvas text-ink shadow-2xl outline-none transition-transform duration-150 ease-out data-ending-style:translate-x-8 data-ending-style:opacity-0 data-starting-style:translate-x-8 data-starting-style:opacity-0 motion-reduce:transition-none">
          <div className="flex min-h-12 flex-wrap items-center gap-x-3 gap-y-1 border-b border-line px-5 py-2">
            <Base.Title className="text-base font-semibold">{title}</Base.Title>
            {actions}
            <Base.Close render={<IconButton icon={X} label="Close" className="-mr-2 ml-auto" />} />
          </div>
          <div className="flex min-h-0 flex-1 flex-col overflow-y-auto">{children}</div>
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  );
}
