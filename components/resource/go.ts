import type { Route } from "next";
import { useRouter } from "next/navigation";

/** A guard that may ask before the page is left. */
interface Guard {
  /** Asks before a navigation to an address. Returns whether it stopped the navigation. */
  readonly leave: (href: string) => boolean;
  /** Confirms an action that opens another document. */
  readonly ask: (follow: () => void) => void;
  /** Stops asking, because the person has already confirmed. */
  readonly release: () => void;
  /** Called when the session has ended: signing in on this page would lose unsaved changes. */
  readonly signedOut: () => void;
}

let guard: Guard | null = null;

/** Installs a guard over every navigation away from the page. Returns the function that removes it. */
export function guardLeaving(next: Guard): () => void {
  guard = next;
  return () => {
    if (guard === next) guard = null;
  };
}

export function hasUnsavedChanges(): boolean {
  return guard !== null;
}

/** Navigates without a link. The guard over unsaved changes applies as to a link. */
export function useGo(): (href: string) => void {
  const router = useRouter();
  return (href) => {
    if (guard?.leave(href) !== true) router.push(href as Route);
  };
}

/** Runs an action that opens another document, such as sign-out. The guard over unsaved changes applies. */
export function leaveGuarded(follow: () => void): void {
  if (guard === null) follow();
  else guard.ask(follow);
}

/** Loads another document without asking. */
export function leaveFor(address: string): void {
  guard?.release();
  window.location.assign(address);
}

/**
 * After the session has ended, shows the sign-in page, which returns here. With unsaved changes, the guard asks first.
 */
export function signInAgain(): void {
  if (guard !== null) return guard.signedOut();
  const here = `${window.location.pathname}${window.location.search}`;
  window.location.assign(`/sign-in?callbackUrl=${encodeURIComponent(here)}`);
}
