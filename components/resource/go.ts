"use client";

import type { Route } from "next";
import { useRouter } from "next/navigation";

/** A guard that may ask before the page is left. */
interface Guard {
  /** Answers whether it stopped the way to an address. */
  readonly leave: (href: string) => boolean;
  /** Confirms an action that opens another document. */
  readonly ask: (follow: () => void) => void;
  /** Stops asking, because the person has already confirmed. */
  readonly release: () => void;
  /** Called when the session has ended: signing in on this page would lose unsaved changes. */
  readonly signedOut: () => void;
}

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
    if (guard?.leave(href) !== true) router.push(href as Route);
  };
}

/** Does what ends in another document, such as to sign out: past a guard over unsaved changes like any link. */
export function leaveGuarded(follow: () => void): void {
  if (guard === null) follow();
  else guard.ask(follow);
}

/** Loads another document, with no more questions. */
export function leaveFor(address: string): void {
  guard?.release();
  window.location.assign(address);
}

/** A session that ended shows the sign-in page, which leads back here; unsaved changes are not left for it. */
export function signInAgain(): void {
  if (guard !== null) return guard.signedOut();
  const here = `${window.location.pathname}${window.location.search}`;
  window.location.assign(`/sign-in?callbackUrl=${encodeURIComponent(here)}`);
}
