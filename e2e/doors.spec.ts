import { test } from "@/e2e/fixtures";
import { DOOR_PROMISES } from "@/test/support/door-promises";

// Our server with Next, held to what every door promises (test/api/doors.test.ts has the other two).

for (const [promise, hold] of Object.entries(DOOR_PROMISES))
  test(`our server: ${promise}`, async ({ server }) => {
    await hold({ send: (path, init) => fetch(server.baseUrl + path, init), key: server.apiKey });
  });
