import { cloneElement, Suspense, useState, type ComponentProps, type ReactElement, type ReactNode } from "react";
import { useInBrowser } from "@/components/ui/use-in-browser";

/** The props of a menu that is loaded later. */
export interface LateMenuProps {
  trigger: ReactElement;
  /** Whether its button was pressed before the menu was loaded. */
  defaultOpen: boolean;
}

interface Props {
  trigger: ReactElement<ComponentProps<"button">>;
  /** The menu, whose component is lazy. */
  children: (menu: LateMenuProps) => ReactNode;
}

/**
 * A menu of the frame. Its code loads after the page, because menus are the largest part of the frame. Until then, its
 * button remembers a press.
 */
export function LateMenu({ trigger, children }: Props) {
  const [pressed, setPressed] = useState(false);
  const inBrowser = useInBrowser();
  const alone = cloneElement(trigger, { "aria-haspopup": "menu", onClick: () => setPressed(true) });
  return inBrowser ? <Suspense fallback={alone}>{children({ trigger, defaultOpen: pressed })}</Suspense> : alone;
}
