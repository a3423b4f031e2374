import { accessSync, constants, existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { run } from "../bin/boot/run.mjs";

const NAMES = ["chromium", "chromium-browser", "google-chrome-stable", "google-chrome", "chrome"];
/** Tests prefer the headless shell where it is installed: it draws no window, which saves processor time. */
export const FOR_TESTS = ["chromium-headless-shell", ...NAMES];
const MAC = [
  "/Applications/Chromium.app/Contents/MacOS/Chromium",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
];

/** The system's Chromium, from CHROMIUM_PATH or PATH; `null` when there is none. @returns {string | null} */
export function findChromium(names = NAMES) {
  if (process.env.CHROMIUM_PATH) return process.env.CHROMIUM_PATH;
  const onPath = (process.env.PATH ?? "").split(delimiter).flatMap((dir) => names.map((name) => join(dir, name)));
  return [...onPath, ...MAC].find(isExecutable) ?? null;
}

/** Finds Chromium for tests; installs Debian's package when this is Debian and the user may. @returns {Promise<string>} */
export async function requireChromium() {
  const found = findChromium(FOR_TESTS);
  if (found !== null) return found;
  if (process.getuid?.() === 0 && existsSync("/usr/bin/apt-get")) {
    const env = { DEBIAN_FRONTEND: "noninteractive" };
    await run("apt-get", ["update"], { env });
    await run("apt-get", ["install", "-y", "--no-install-recommends", "chromium-headless-shell", "fonts-liberation"], {
      env,
    });
    const installed = findChromium(FOR_TESTS);
    if (installed !== null) return installed;
  }
  throw new Error(
    "The browser tests need Chromium: install it (Debian: apt-get install chromium-headless-shell fonts-liberation; " +
      "macOS: brew install --cask chromium), or set CHROMIUM_PATH to a Chrome or Chromium.",
  );
}

/** @param {string} path */
function isExecutable(path) {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
