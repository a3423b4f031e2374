import { cloneElement, Suspense, useState, type ComponentProps, type ReactElement, type ReactNode } from "react";
import { useInBrowser } from "@/components/ui/use-in-browser";

/** The props that `LazyMenu` passes to its menu. */
export interface LazyMenuProps {
  trigger: ReactElement;
  /** Whether a person pressed the button before the menu was loaded. */
  defaultOpen: boolean;
}

interface Props {
  trigger: ReactElement<ComponentProps<"button">>;
  /** Renders the menu with a `lazy` component. */
  children: (menu: LazyMenuProps) => ReactNode;
}

/**
 * A menu of the header. Its code loads after the page, because menus are the largest part of the code that every page
 * needs. The menu opens then if its button was pressed before (docs/decisions/0034-first-load.md).
 */
export function LazyMenu({ trigger, children }: Props) {
  const [pressed, setPressed] = useState(false);
  const inBrowser = useInBrowser();
  const button = cloneElement(trigger, { "aria-haspopup": "menu", onClick: () => setPressed(true) });
  return inBrowser ? <Suspense fallback={button}>{children({ trigger, defaultOpen: pressed })}</Suspense> : button;
}
