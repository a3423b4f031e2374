import { describe, expect, it, vi } from "vitest";
import { AppError } from "@/lib/errors";
import { toProblem } from "@/lib/http/problem";

describe("an error for the caller", () => {
  it("that another copy of the module threw is recognised: Next bundles each route on its own", async () => {
    vi.resetModules();
    const other = await import("@/lib/errors");
    expect(other.AppError).not.toBe(AppError);
    const thrown: unknown = new other.AppError("config_unavailable", "Not now.");
    expect(thrown).toBeInstanceOf(AppError);
    expect(toProblem(thrown, "r").status).toBe(503);
  });

  it("is not anything else that is thrown", () => {
    for (const thrown of [new Error("secret"), "secret", null, { code: "config_unavailable" }]) {
      expect(thrown).not.toBeInstanceOf(AppError);
      expect(toProblem(thrown, "r").status).toBe(500);
    }
  });
});
