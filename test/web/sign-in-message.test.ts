import { expect, it } from "vitest";
import { signInMessage } from "@/app/(auth)/sign-in/sign-in-message";

it("is a sentence for every code in the address, also for one that names a property of objects", () => {
  expect(signInMessage("Throttled")).toBe("Too many attempts. Wait a few minutes and try again.");
  for (const code of ["", "other", "constructor", "__proto__", "toString"])
    expect(signInMessage(code)).toMatch(/^The sign-in failed/);
});
