"use client";

import { usePathname } from "next/navigation";
import { useEffect, useRef } from "react";
import { toContentIfLost } from "@/components/ui/to-content";

/** Whoever came to another page by a key, or from a form that is gone, goes on in its content: not above the navigation. */
export function ContentFocus() {
  const pathname = usePathname();
  const before = useRef(pathname);
  useEffect(() => {
    if (before.current === pathname) return;
    before.current = pathname;
    toContentIfLost();
  }, [pathname]);
  return null;
}
