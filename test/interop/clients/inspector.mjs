// The Inspector's command line: its first command signs in, and the others use the stored tokens.
import { spawn } from "node:child_process";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { CALL, spoilStoredTokens, takeSteps } from "./steps.mjs";

const [url = "", identity = "", port = ""] = process.argv.slice(2);
const launcher = "../node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js";
const own = identity.startsWith("https:") ? ["--client-metadata-url", identity] : ["--client-id", identity];
const callback = `http://127.0.0.1:${port}/oauth/callback`;

async function inspect(...args) {
  const to = ["--cli", url, "--transport", "http", ...(identity === "" ? [] : own), "--callback-url", callback];
  const command = [join(import.meta.dirname, launcher), ...to, "--connect-timeout", "150000", ...args];
  // Without a terminal it signs in only when it may open a browser, and here it finds none.
  const env = { ...process.env, MCP_AUTO_OPEN_ENABLED: "true", MCP_INSPECTOR_SECRET_STORE: "file" };
  const child = spawn(process.execPath, command, { env, stdio: ["ignore", "pipe", "inherit"] });
  return JSON.parse(await text(child.stdout));
}

await takeSteps({
  list: () => inspect("--method", "tools/list"),
  call: () => inspect("--method", "tools/call", "--tool-name", CALL.name, "--tool-arg", "expression=6 * 7"),
  spoil: spoilStoredTokens,
});
