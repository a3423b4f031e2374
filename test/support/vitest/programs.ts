import { fileURLToPath } from "node:url";
import type { TestProject } from "vitest/node";
import { buildPrograms } from "@/bin/boot/build.mjs";
import { isPureRun } from "@/test/support/vitest/postgres";

/** The thread that reads documents is a bundle, in tests as in production. */
export default async function setup(project: TestProject): Promise<void> {
  if (isPureRun(project)) return;
  await buildPrograms(fileURLToPath(new URL("../../..", import.meta.url)));
}
