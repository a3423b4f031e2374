import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { compile } from "@/lib/access/compile/compile";
import type { JsonObject } from "@/lib/access/model/configuration";
import { toRequest } from "@/lib/access/model/request";
import { parseDocument, toConfiguration } from "@/lib/config/document";
import { warningsAtOnce } from "@/lib/config/plan";
import { previewBody } from "@/test/access/case";
import { EMPTY_CONFIGURATION } from "@/test/support/empty-configuration";

const shape = z.strictObject({
  name: z.string(),
  /** The sentence of docs/reference/decision.md that requires the refusal. */
  spec: z.string(),
  configuration: z.record(z.string(), z.unknown()),
  /** The calling agent, by its name in the configuration. */
  agent: z.string().optional(),
  request: previewBody.prefault({}),
  /** The place of the first problem: a path in the document, or a field of the request. */
  refused: z.string(),
});

function load(file: string): readonly (readonly [string, z.output<typeof shape>])[] {
  const text = readFileSync(join(import.meta.dirname, "refusals", file), "utf8");
  return z
    .array(shape)
    .parse(JSON.parse(text))
    .map((one) => [one.name, one] as const);
}

describe("saving refuses with the path", () => {
  test.each(load("saving.json"))("%s", (_name, { configuration, refused }) => {
    const parsed = parseDocument({ apiVersion: "quartermaster/v1", ...configuration });
    const problems = parsed.ok ? warningsAtOnce(parsed.document) : parsed.errors;
    expect(problems.map(({ path }) => path).filter((path) => path.startsWith(refused))).not.toEqual([]);
    for (const { message } of problems) expect(message).toMatch(/\w/);
  });
});

test("a missing field is reported as missing, at its path in the named row", () => {
  const parsed = parseDocument({ apiVersion: "quartermaster/v1", policies: [{ name: "open" }] });
  const errors = parsed.ok ? [] : parsed.errors;
  expect(errors).toContainEqual({
    path: "policies[open].groups",
    message: "is missing: state a value of type array",
  });
});

describe("a request is refused with the field", () => {
  test.each(load("asking.json"))("%s", (_name, { configuration, agent, request, refused }) => {
    const parsed = parseDocument({ apiVersion: "quartermaster/v1", ...configuration });
    const index = compile(parsed.ok ? toConfiguration(parsed.document) : EMPTY_CONFIGURATION);
    const caller = index.config.agents.find(({ name }) => name === agent) ?? null;
    const {
      claims,
      group = null,
      state = null,
      machine = null,
      profile = null,
      intent = null,
      confidence = null,
      ...rest
    } = request;
    const asked = { group, state, machine, profile, intent, confidence, persona: rest.persona ?? null };
    const answer = toRequest(index, { claims: claims as JsonObject, agent: caller, issuer: null }, asked);
    expect(answer).toMatchObject({ ok: false, path: refused, message: expect.stringMatching(/\w/) });
  });
});
