import { Tooltip as Base } from "@base-ui/react/tooltip";
import type { ReactElement, ReactNode } from "react";

interface TooltipProps {
  content: ReactNode;
  /** One focusable element: the tooltip shows on focus too. It keeps its own accessible name. */
  children: ReactElement;
}

/** Describes the hovered or focused element. The page must say the same elsewhere. */
export function Tooltip({ content, children }: TooltipProps) {
  return (
    <Base.Root>
      <Base.Trigger delay={400} render={children} />
      <Base.Portal>
        <Base.Positioner sideOffset={6} className="z-60">
          <Base.Popup className="popup max-w-80 px-2 py-1 text-xs text-ink">{content}</Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}
