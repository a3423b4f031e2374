"use client";

import type { ComponentProps } from "react";
import { cn } from "@/components/ui/cn";

/** A box that scrolls. On a phone, an edge fades while there is more beyond it (`scroll-fade` in globals.css). */
export function ScrollFrame({ className, ...rest }: Omit<ComponentProps<"div">, "ref">) {
  return (
    <div
      {...rest}
      ref={watchEdges}
      // `relative`: text for screen readers is absolutely positioned and would widen the page.
      className={cn("scroll-fade relative min-w-0 overflow-auto", className)}
    />
  );
}

/** Marks the sides on which a box's content continues, for `scroll-fade`: `data-more-before`, `data-more-after`. */
export function watchEdges(frame: HTMLElement | null) {
  if (frame === null) return;
  const mark = () => {
    frame.toggleAttribute("data-more-before", frame.scrollLeft > 1);
    frame.toggleAttribute("data-more-after", frame.scrollWidth - frame.clientWidth - frame.scrollLeft > 1);
  };
  const sizes = new ResizeObserver(mark);
  sizes.observe(frame);
  for (const child of frame.children) sizes.observe(child);
  frame.addEventListener("scroll", mark, { passive: true });
  return () => {
    sizes.disconnect();
    frame.removeEventListener("scroll", mark);
  };
}
