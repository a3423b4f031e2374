"use client";

import type { Route } from "next";
import { useRouter } from "next/navigation";

/** Answers whether it stopped the way to an address, to ask something first. */
type Guard = (href: string) => boolean;

let guard: Guard | null = null;

/** Puts something between a page and every way out of it; answers how to take it away. */
export function guardLeaving(next: Guard): () => void {
  guard = next;
  return () => {
    if (guard === next) guard = null;
  };
}

/** Goes somewhere without a link: past a guard over unsaved changes like any link. */
export function useGo(): (href: string) => void {
  const router = useRouter();
  return (href) => {
    if (guard?.(href) !== true) router.push(href as Route);
  };
}
