import type { TestProject } from "vitest/node";
import { startThrowawayServer } from "@/test/support/throwaway-server";

declare module "vitest" {
  interface ProvidedContext {
    /** The run's server: each test file copies its own database from the template. */
    postgres: { readonly url: string; readonly template: string };
  }
}

/** One Postgres for the whole run. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const server = await startThrowawayServer();
  project.provide("postgres", { url: server.url, template: server.template });
  return () => server.stop();
}
