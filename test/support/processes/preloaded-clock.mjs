import { readFileSync } from "node:fs";

// Preloaded into a server process (NODE_OPTIONS --import). Its clock runs ahead by the milliseconds in the file CLOCK_SHIFT,
// which it reads again at each SIGUSR2. Timers stay real.

const now = Date.now.bind(Date);
let shift = 0;
const shifted = () => now() + shift;

globalThis.Date = new Proxy(Date, {
  construct: (target, args, by) => Reflect.construct(target, args.length === 0 ? [shifted()] : args, by),
  apply: (target) => new target(shifted()).toString(),
  get: (target, key, by) => (key === "now" ? shifted : Reflect.get(target, key, by)),
});

process.on("SIGUSR2", () => {
  shift = Number(readFileSync(process.env.CLOCK_SHIFT ?? "", "utf8"));
});
