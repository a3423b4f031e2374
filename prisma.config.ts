import { defineConfig } from "prisma/config";

// `prisma generate` needs no schema engine, yet the command line would download one; naming any
// executable stops it. Migrations go through the WebAssembly engine instead (bin/migrate.ts).
process.env["PRISMA_SCHEMA_ENGINE_BINARY"] ??= process.execPath;

export default defineConfig({
  schema: "prisma/schema",
  migrations: { path: "prisma/migrations" },
});
