import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { REASONS, STEPS, type Reason, type ResolveRequest } from "@/lib/access/decide/resolution";
import type { Configuration, JsonObject, Persona } from "@/lib/access/model/configuration";
import { configurationOf } from "@/test/access/case-configuration";

const names = z.array(z.string());
const json = z.record(z.string(), z.json());
const reason = z.custom<Reason>(
  (value) => typeof value === "string" && Object.hasOwn(REASONS, value),
  "unknown reason code",
);

/** The expected results of a case; only stated parts are checked. */
const expectation = z.strictObject({
  /** Exactly these tools, in this order. */
  visible: names,
  hidden: z.record(z.string(), reason).default({}),
  /** Every failing step of a hidden tool, not only the first. */
  failing: z.record(z.string(), z.array(z.enum(STEPS))).optional(),
  exposedNames: z.record(z.string(), z.string()).optional(),
  notCallable: names.optional(),
  conditional: names.optional(),
  groups: z.record(z.string(), names).optional(),
  grantedGroups: names.optional(),
  unknownGroups: names.optional(),
  requestedGroups: names.optional(),
  matchedPolicies: names.optional(),
  /** Exactly the hidden tools that the caller may request. */
  requestable: names.optional(),
  /** Policy → the outcome of each of its matchers. */
  outcomes: z.record(z.string(), z.array(z.enum(["match", "no_match", "missing", "uncomparable"]))).optional(),
  state: z.string().optional(),
  /** Tool → the state after a successful call. */
  next: z.record(z.string(), z.string()).optional(),
  mode: z.enum(["full", "restricted", "restricted_with_resolution", "none"]).optional(),
  tier: names.nullable().optional(),
  missingCapabilities: z.record(z.string(), names).optional(),
  /** Hidden tool → the number of changes that would show it. */
  fixes: z.record(z.string(), z.int()).optional(),
  /** Calls and their verdicts; `policy` names the refusing one. */
  calls: z
    .array(z.strictObject({ tool: z.string(), arguments: json, allowed: z.boolean(), policy: z.string().optional() }))
    .optional(),
});

/** The fields of `POST /api/admin/preview` that a decision reads (docs/reference/http.md). */
export const previewBody = z.strictObject({
  claims: json.default({}),
  group: names.optional(),
  state: z.string().optional(),
  machine: z.string().optional(),
  profile: z.string().optional(),
  persona: z.string().optional(),
  capabilities: names.optional(),
  intent: z.string().optional(),
  confidence: z.number().optional(),
  escalated: z.boolean().optional(),
  labels: names.optional(),
  includeDisabled: z.boolean().optional(),
});

const document = z.record(z.string(), z.unknown());

const caseShape = z.strictObject({
  name: z.string().min(1),
  /** The sentence of docs/reference/decision.md that the case tests. */
  spec: z.string().min(1),
  /** Sections of a configuration document; they replace the file's. */
  configuration: document.default({}),
  /** Rows that only a database can hold, because saving refuses them: appended, never sent through the document. */
  stored: document.optional(),
  pauses: z
    .array(
      z.strictObject({ scope: z.enum(["all", "source", "agent"]), target: z.string().nullable(), reason: z.string() }),
    )
    .optional(),
  /** Without a hash: the tool's present definition. */
  driftAcceptances: z
    .array(z.strictObject({ profile: z.string(), tool: z.string(), definitionHash: z.string().optional() }))
    .optional(),
  /** Access grants, which no document holds. */
  accessGrants: z
    .array(
      z.strictObject({
        id: z.string(),
        policy: z.string(),
        tool: z.string(),
        issuer: z.string(),
        subject: z.string(),
        client: z.string().nullable().default(null),
        from: z.string(),
        until: z.string(),
      }),
    )
    .optional(),
  /** ISO instant; absent = the case does not depend on time. */
  now: z.iso.datetime().optional(),
  /** The calling agent's name, and its pinned profile in addition to the requested one. */
  agent: z.strictObject({ name: z.string(), profile: z.string().optional() }).optional(),
  request: previewBody,
  expect: expectation,
});

const fileShape = z.strictObject({
  /** Shared by all cases of the file. */
  configuration: document,
  cases: z.array(caseShape),
});

/** One case, with the file's configuration filled in. */
export type Case = z.output<typeof caseShape> & { readonly file: string };

const folder = join(import.meta.dirname, "cases");

/** The time of cases that state none: 2026-06-15T12:00:00Z, in epoch milliseconds. */
export const CASE_TIME = Date.UTC(2026, 5, 15, 12);

/** Every case of `cases/`, in file order. Throws an error with the file's name on an invalid case. */
export function loadCases(): readonly Case[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".json"))
    .toSorted()
    .flatMap((file) => parseCases(file, JSON.parse(readFileSync(join(folder, file), "utf8"))));
}

/** The cases of one file's content, each with the file's configuration filled in. */
export function parseCases(file: string, content: unknown): readonly Case[] {
  const read = fileShape.safeParse(content);
  if (!read.success) throw new Error(`cases/${file}: ${z.prettifyError(read.error)}`);
  const shared = read.data.configuration;
  return read.data.cases.map((one) => ({
    ...one,
    file,
    configuration: { apiVersion: "quartermaster/v1", ...shared, ...one.configuration },
  }));
}

/**
 * Whether the case can be sent to the preview unchanged: a valid document, no time, no stored rows, and no empty state, which
 * every API refuses.
 */
export function isPreviewable(one: Case): boolean {
  return (
    one.request.state !== "" &&
    one.stored === undefined &&
    one.pauses === undefined &&
    one.driftAcceptances === undefined &&
    one.accessGrants === undefined &&
    one.now === undefined &&
    one.agent === undefined
  );
}

/** The input of the case: the configuration, the complete request, and the time in epoch milliseconds. */
export function questionOf(one: Case): {
  readonly configuration: Configuration;
  readonly request: ResolveRequest;
  readonly now: number;
} {
  const configuration = configurationOf(one);
  return {
    configuration,
    request: requestOf(one, configuration),
    now: one.now === undefined ? CASE_TIME : Date.parse(one.now),
  };
}

function requestOf({ request, agent }: Case, configuration: Configuration): ResolveRequest {
  const persona = configuration.personas.find(({ name }) => name === request.persona);
  return {
    claims: request.claims as JsonObject,
    agent: agent?.name ?? null,
    group: request.group ?? null,
    state: request.state ?? null,
    machine: request.machine ?? null,
    profiles: [agent?.profile, request.profile].filter((name) => name !== undefined),
    capabilities: request.capabilities ?? capabilitiesOf(persona),
    intent: request.intent ?? null,
    confidence: request.confidence ?? null,
    escalated: request.escalated ?? false,
    labels: request.labels ?? [],
    includeDisabled: request.includeDisabled ?? false,
  };
}

function capabilitiesOf(persona: Persona | undefined): readonly string[] {
  return persona?.capabilities ?? [];
}
