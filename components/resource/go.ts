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

/** Opens and closes the dialog that offers to sign in in another tab. The app mounts it once. */
let showSignIn: ((open: boolean) => void) | null = null;
/** Whether it was opened since the session ended: a poll opens it once, and an action each time. */
let isSignInShown = false;

/** Installs the dialog. Returns the function that removes it. */
export function installSignIn(show: (open: boolean) => void): () => void {
  showSignIn = show;
  return () => {
    if (showSignIn === show) showSignIn = null;
  };
}

/**
 * After the session has ended, shows the sign-in page, which returns here. A page that holds what a person entered stays, and
 * offers to sign in in another tab.
 */
export function signInAgain({ isAction }: { isAction: boolean }): void {
  if (showSignIn !== null && holdsInput()) {
    if (isAction || !isSignInShown) showSignIn(true);
    isSignInShown = true;
    return;
  }
  const here = `${window.location.pathname}${window.location.search}`;
  window.location.assign(`/sign-in?callbackUrl=${encodeURIComponent(here)}`);
}

/** The server answered a request of this person: the session lives, or lives again. */
export function sessionLives(): void {
  if (isSignInShown) showSignIn?.(false);
  isSignInShown = false;
}

/** Fields for text. A search is part of the address. */
const FIELDS = "input:not([type=search], [type=checkbox], [type=radio]), textarea, [contenteditable]";
/** The fields that a person typed or pasted into. */
const typed = new WeakSet<Element>();
if (typeof window !== "undefined")
  for (const type of ["input", "paste"])
    window.addEventListener(type, ({ target }) => noteTyped(target), { capture: true, passive: true });

function noteTyped(target: EventTarget | null): void {
  const field = target instanceof Element ? target.closest(FIELDS) : null;
  if (field !== null) typed.add(field);
}

/** Whether the page has a draft, an open dialog, or a field that a person typed into. */
function holdsInput(): boolean {
  if (guard !== null || document.querySelector("[role=dialog], [role=alertdialog]") !== null) return true;
  return [...document.querySelectorAll(FIELDS)].some((field) => typed.has(field));
}
