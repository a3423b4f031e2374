"use client";

import { Dialog as Base } from "@base-ui/react/dialog";
import { X } from "lucide-react";
import type { ReactNode } from "react";
import { Button } from "@/components/ui/button";
import { cn } from "@/components/ui/cn";

interface DrawerProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  title: ReactNode;
  description?: ReactNode;
  /** Beside the title: links, copy buttons. */
  actions?: ReactNode;
  children: ReactNode;
  width?: "md" | "lg" | undefined;
  /** False: the list behind stays usable while one peeks. */
  modal?: boolean | undefined;
}

/** A panel from the right: one row of a list, looked into without leaving it. */
export function Drawer({
  open,
  onOpenChange,
  title,
  description,
  actions,
  children,
  width = "md",
  modal = false,
}: DrawerProps) {
  return (
    <Base.Root open={open} onOpenChange={onOpenChange} modal={modal} disablePointerDismissal={!modal}>
      <Base.Portal>
        {modal && (
          <Base.Backdrop className="fixed inset-0 z-40 bg-[light-dark(rgb(15_18_30/0.3),rgb(0_0_0/0.6))] transition-opacity duration-100 data-ending-style:opacity-0 data-starting-style:opacity-0" />
        )}
        <Base.Popup
          className={cn(
            "fixed inset-y-0 right-0 z-45 flex w-full flex-col border-l border-line bg-canvas text-ink shadow-pop outline-none transition-transform duration-150 ease-out data-ending-style:translate-x-8 data-ending-style:opacity-0 data-starting-style:translate-x-8 data-starting-style:opacity-0",
            width === "md" ? "max-w-xl" : "max-w-3xl",
          )}
        >
          <div className="flex items-center gap-2 border-b border-line px-5 py-3">
            <div className="min-w-0 flex-1">
              <Base.Title className="truncate text-base font-semibold">{title}</Base.Title>
              {description !== undefined && (
                <Base.Description className="truncate text-xs text-muted">{description}</Base.Description>
              )}
            </div>
            {actions}
            <Base.Close render={<Button variant="ghost" size="icon" aria-label="Close" />}>
              <X aria-hidden />
            </Base.Close>
          </div>
          <div className="min-h-0 flex-1 overflow-y-auto px-5 py-4">{children}</div>
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  );
}
