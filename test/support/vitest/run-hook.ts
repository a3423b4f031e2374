import { createElement, useState } from "react";
import { renderToStaticMarkup } from "react-dom/server";

/** Runs a hook, then each step on what the hook returned last, and returns what it returns at the end. Effects do not run. */
export function runHook<T>(useIt: () => T, ...steps: readonly ((now: T) => void)[]): T {
  let now!: T;
  function Harness() {
    const [done, setDone] = useState(0);
    now = useIt();
    const step = steps[done];
    if (step !== undefined) {
      setDone(done + 1);
      step(now);
    }
    return null;
  }
  renderToStaticMarkup(createElement(Harness));
  return now;
}
