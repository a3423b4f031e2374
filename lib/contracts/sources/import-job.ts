import { z } from "zod";
import { authSuggestion } from "@/lib/contracts/sources/auth-suggestion";
import { jsonObject, slug, toolId } from "@/lib/resources/parts/name";
import { upstreamAuth } from "@/lib/resources/source";

/** Most bytes of the body of `POST /api/admin/imports`: GitHub's own document weighs 13 MB, quoted a little more. */
export const MOST_DOCUMENT_BYTES = 32 * 1024 * 1024;

/**
 * `POST /api/admin/imports`: into an existing source, or one that applying creates. From `url`, a `document`
 * (text, JSON or YAML, or already parsed), or neither: then from the source's stored address (a sync).
 */
export const importInput = z
  .strictObject({
    source: slug,
    url: z
      .url({ protocol: /^https?$/, error: "use an http(s) URL" })
      .max(2048)
      .optional(),
    document: z.union([z.string().min(1), jsonObject]).optional(),
    /** Where calls go, in place of the server that the document names first. */
    server: z
      .url({ protocol: /^https?$/, error: "use an http(s) URL" })
      .max(1024)
      .regex(/^[^?#@]*$/, "leave out credentials, `?` and `#`")
      .optional(),
    /** For a source that applying creates: how `url` is asked and its tools are called. A known source has its own. */
    auth: upstreamAuth.optional(),
  })
  .refine((input) => input.url === undefined || input.document === undefined, {
    path: ["document"],
    message: "state `url` or `document`, not both",
  });

/** The answer of `POST /api/admin/imports`: the import to ask for. */
export const importStarted = z.object({ id: z.uuid() });

/** What an import would do to one tool. */
export const importEntry = z.object({
  toolId,
  name: z.string(),
  method: z.string().nullable(),
  path: z.string().nullable(),
  description: z.string(),
  tags: z.array(z.string()),
  hasSideEffects: z.boolean(),
  /** For a changed tool: the fields that would change. */
  fields: z.array(z.string()),
  /** Where calls go, for a tool that is an HTTP request. */
  host: z.string().nullable().default(null),
});

/** A host that calls of an import would go to, and of how many of its tools. */
const importHost = z.object({
  host: z.string(),
  tools: z.int(),
  /** Neither the document's own server nor a tool of the source: it must be accepted when the import is applied. */
  foreign: z.boolean(),
});

/** What applying did: the revision it made (or the present one, when nothing changed) and counts of tools. */
export const importApplied = z.object({ revision: z.int(), added: z.int(), changed: z.int(), removed: z.int() });

/**
 * `GET /api/admin/imports/{id}`. `planned` and `applied` can be applied, more than once; `done` of `total` tools are read,
 * or saved while it is `applying`.
 */
export const importJob = z.object({
  id: z.uuid(),
  source: slug,
  url: z.string().nullable(),
  /** How the source that applying creates authenticates; `null` = not stated, or the source is known. */
  auth: upstreamAuth.nullable(),
  /** How the document says that calls authenticate; empty where the source does so already. */
  suggestedAuth: z.array(authSuggestion),
  /** The document's own title. */
  title: z.string().nullable(),
  status: z.enum(["running", "planned", "applying", "applied", "failed"]),
  done: z.int(),
  total: z.int(),
  plan: z.object({
    added: z.array(importEntry),
    changed: z.array(importEntry),
    removed: z.array(importEntry),
    unchanged: z.array(importEntry),
    /** Absent in an import that an older app planned: every host that no tool of the source calls is then foreign. */
    hosts: z.array(importHost).default([]),
  }),
  warnings: z.array(z.object({ path: z.string(), message: z.string() })),
  /** Why it failed, or why it was not applied; a sentence for the admin. */
  error: z.string().nullable(),
  /** What applying it last did. */
  applied: importApplied.nullable(),
  createdBy: z.string(),
  createdAt: z.iso.datetime(),
});

/**
 * `POST /api/admin/imports/{id}/apply`: all that the plan names, or some of it; `auth` becomes the source's. New tools
 * declare `groups`; without it they are in no group, and only selectors and inclusions may still take them in.
 */
export const importApply = z.strictObject({
  operations: z.union([z.literal("all"), z.array(toolId).max(50_000)], { error: 'use "all" or a list of tool ids' }),
  groups: z.array(slug).max(200).default([]),
  /** The foreign hosts of the plan that calls may go to; tools with another one are refused. */
  hosts: z.array(z.string().max(255)).max(500).optional(),
  auth: upstreamAuth.optional(),
});

/** The answer of applying that takes longer than a request should: ask for the import until it is not `applying`. */
export const importApplying = importJob.pick({ id: true, status: true, done: true, total: true });

/** How many of the tools that a caller would gain an import names. */
export const MOST_GAINED_NAMED = 10;

/** Query of `GET /api/admin/imports/{id}/callers`: the groups that new tools would declare. */
export const importCallersQuery = z.strictObject({
  group: z
    .union([slug, z.array(slug).max(200)])
    .default([])
    .transform((named) => [named].flat()),
});

/** Who would see an import's new tools, with those groups: all personas, agents and recent callers that would see any. */
export const importCallers = z.object({
  callers: z.array(
    z.object({
      kind: z.enum(["persona", "agent", "caller"]),
      name: z.string(),
      /** Of a caller of the log. */
      issuer: z.string().nullable(),
      /** How many of the new tools it would see, and the first of them. */
      gained: z.object({ count: z.int(), tools: z.array(toolId) }),
    }),
  ),
  /** How many personas, agents and callers were asked for. */
  asked: z.int(),
  /** There are more agents or callers than were asked for. */
  more: z.boolean(),
});

/** The input of an import. */
export type ImportInput = z.output<typeof importInput>;
/** What of an import is to be applied. */
export type ImportApply = z.output<typeof importApply>;
/** A host that an import's calls go to. */
export type ImportHost = z.output<typeof importHost>;
/** One line of an import's plan. */
export type ImportEntry = z.output<typeof importEntry>;
/** An import and its plan. */
export type ImportJob = z.output<typeof importJob>;
/** What applying did. */
export type ImportApplied = z.output<typeof importApplied>;
/** Who would see an import's new tools. */
export type ImportCallers = z.output<typeof importCallers>;
/** An import that is being applied. */
export type ImportApplying = z.output<typeof importApplying>;
