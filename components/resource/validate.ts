import type { FieldProblem } from "@/components/resource/request";
import type { ResourceName } from "@/lib/resources";

/**
 * What is wrong with an input, by the schema that the server uses. The schemas are loaded when they are
 * first needed: they bring the pattern engine with them.
 */
export async function validate(resource: ResourceName, input: unknown): Promise<readonly FieldProblem[]> {
  const [{ z }, { resources }] = await Promise.all([import("zod"), import("@/lib/resources")]);
  // Our Content-Security-Policy has no `unsafe-eval`: zod must not compile.
  z.config({ jitless: true });
  const result = resources[resource].input.safeParse(input);
  if (result.success) return [];
  return result.error.issues.flatMap((issue) =>
    issue.code === "unrecognized_keys"
      ? issue.keys.map((key) => ({ path: pathOf([...issue.path, key]), message: "unknown field: remove it" }))
      : [{ path: pathOf(issue.path), message: issue.message }],
  );
}

/** `a.b[0].c`, as the server writes it. */
function pathOf(path: readonly PropertyKey[]): string {
  return path.reduce<string>(
    (text, key) => (typeof key === "number" ? `${text}[${key}]` : text === "" ? String(key) : `${text}.${String(key)}`),
    "",
  );
}
