import { inject } from "vitest";
import { sibling } from "@/test/support/local-database";

/**
 * The environment of a test file, set before anything is imported. Its database exists from the
 * first `useDatabase()` on; a file that needs none never has one made. The files of a process take turns with its name.
 */
const name = `test_${process.pid}`;

Object.assign(process.env, {
  NODE_ENV: "test",
  LOG_LEVEL: "silent",
  DATABASE_URL: sibling(inject("postgres").url, name),
  NEXTAUTH_SECRET: "test-secret-that-is-long-enough-for-the-schema",
  NEXTAUTH_URL: "http://127.0.0.1:3000",
  MASTER_KEY: Buffer.alloc(32, 7).toString("base64"),
});
