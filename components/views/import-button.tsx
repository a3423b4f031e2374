"use client";

/** Placeholder until below. */
export function ImportButton() {
  return null;
}
