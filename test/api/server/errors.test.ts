import { describe, expect, it, vi } from "vitest";
import { AppError } from "@/lib/errors";
import { toProblem } from "@/lib/http/problem";

describe("an error for the caller", () => {
  it("of another copy of the module is recognised, because Next bundles each route separately", async () => {
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

  it("is logged with its cause, and without a stack where the answer is our own", async () => {
    const lines: string[] = [];
    vi.spyOn(process.stdout, "write").mockImplementation((text) => lines.push(String(text)) > 0);
    vi.stubEnv("LOG_LEVEL", "warn");
    vi.resetModules();
    const { toProblem: answer } = await import("@/lib/http/problem");
    answer(new AppError("overloaded", "The web app is starting."), "r-1");
    answer(new AppError("config_unavailable", "Not now.", { cause: new Error("no route to host") }), "r-2");
    await expect.poll(() => lines.length).toBe(2);
    const [own, failed] = lines.map((line) => JSON.parse(line) as object);
    expect(own).toMatchObject({ level: 40, requestId: "r-1", code: "overloaded", msg: "The web app is starting." });
    expect(own).not.toHaveProperty("err");
    expect(failed).toMatchObject({ level: 50, requestId: "r-2", err: { message: "no route to host" } });
  });
});
