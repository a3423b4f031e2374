import { fileURLToPath } from "node:url";
import { buildPrograms } from "@/bin/build.mjs";

/** The thread that reads documents is a bundle, in tests as in production. */
export default async function setup(): Promise<void> {
  await buildPrograms(fileURLToPath(new URL("../..", import.meta.url)));
}
