import type { TestProject } from "vitest/node";
import { startThrowawayServer } from "@/test/support/servers/throwaway-server";

declare module "vitest" {
  interface ProvidedContext {
    /** The run's server: each test file copies its own database from the template. */
    postgres: { readonly url: string; readonly template: string };
  }
}

/** One PostgreSQL for the whole run. `npm run check` runs pure tests only, which need none. */
export default async function setup(project: TestProject): Promise<(() => Promise<void>) | undefined> {
  if (isPureRun(project)) {
    project.provide("postgres", { url: "postgresql://nobody@127.0.0.1:1/none", template: "none" });
    return undefined;
  }
  const server = await startThrowawayServer();
  project.provide("postgres", { url: server.url, template: server.template });
  return () => server.stop();
}

/** Whether only projects of pure tests were selected. */
export function isPureRun({ vitest }: TestProject): boolean {
  return vitest.projects.every(({ name }) => name === "pure" || name === "properties");
}
