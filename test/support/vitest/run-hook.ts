import { createElement, useState } from "react";
import { renderToStaticMarkup } from "react-dom/server";

/** Runs a hook, then each step on what the hook returned last, and returns what it returns at the end. Effects do not run. */
export function runHook<T>(hook: () => T, ...steps: readonly ((now: T) => void)[]): T {
  const returned: T[] = [];
  renderToStaticMarkup(createElement(Harness<T>, { hook, steps, onReturn: (now) => returned.push(now) }));
  return returned.at(-1)!;
}

interface HarnessProps<T> {
  hook: () => T;
  steps: readonly ((now: T) => void)[];
  onReturn: (now: T) => void;
}

function Harness<T>({ hook, steps, onReturn }: HarnessProps<T>) {
  const [done, setDone] = useState(0);
  const now = hook();
  onReturn(now);
  const step = steps[done];
  if (step !== undefined) {
    setDone(done + 1);
    step(now);
  }
  return null;
}
