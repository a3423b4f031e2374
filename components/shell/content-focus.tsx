"use client";

import { usePathname } from "next/navigation";
import { useEffect, useRef } from "react";
import { toContentIfLost } from "@/components/ui/to-content";

/** Moves the focus to the content after navigation by key or from a removed form, instead of above the navigation. */
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
