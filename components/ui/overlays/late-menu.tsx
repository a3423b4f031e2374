"use client";

import { cloneElement, Suspense, useState, type ComponentProps, type ReactElement, type ReactNode } from "react";
import { useInBrowser } from "@/components/ui/use-in-browser";

/** The props of a menu that is loaded later. */
export interface LateMenuProps {
  trigger: ReactElement;
  /** Its button was pressed before it was there. */
  defaultOpen: boolean;
}

interface Props {
  trigger: ReactElement<ComponentProps<"button">>;
  /** The menu, whose component is lazy. */
  children: (menu: LateMenuProps) => ReactNode;
}

/**
 * A menu on every page, whose code no page waits for: menus are the heaviest thing of the frame. Until it is here its
 * button stands alone, and a press is kept.
 */
export function LateMenu({ trigger, children }: Props) {
  const [pressed, setPressed] = useState(false);
  const inBrowser = useInBrowser();
  const alone = cloneElement(trigger, { "aria-haspopup": "menu", onClick: () => setPressed(true) });
  return inBrowser ? <Suspense fallback={alone}>{children({ trigger, defaultOpen: pressed })}</Suspense> : alone;
}
