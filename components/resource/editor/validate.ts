import type { ZodType } from "zod";
import { dotted } from "@/lib/access/model/storable";
import type { FieldProblem } from "@/lib/errors";
import type { ResourceName } from "@/lib/resources";

/**
 * Validates an input with the server's schema. Loads the schemas at first use, because they include the pattern engine.
 */
export async function validate(resource: ResourceName, input: unknown): Promise<readonly FieldProblem[]> {
  return problemsOf(async () => (await import("@/lib/resources")).resources[resource].input, input);
}

/** Validates the settings, which are no resource. */
export async function validateSettings(input: unknown): Promise<readonly FieldProblem[]> {
  return problemsOf(async () => (await import("@/lib/resources/settings")).settingsInput, input);
}

async function problemsOf(load: () => Promise<ZodType>, input: unknown): Promise<readonly FieldProblem[]> {
  const [{ z }, schema] = await Promise.all([import("zod"), load()]);
  // Our Content-Security-Policy has no `unsafe-eval`: zod must not compile.
  z.config({ jitless: true });
  const result = schema.safeParse(input);
  if (result.success) return [];
  return result.error.issues.flatMap((issue) =>
    issue.code === "unrecognized_keys"
      ? issue.keys.map((key) => ({ path: dotted([...issue.path, key]), message: "unknown field: remove it" }))
      : [{ path: dotted(issue.path), message: issue.message }],
  );
}
