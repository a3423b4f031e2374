import { z } from "zod";
import { REQUEST_STATUSES } from "@/lib/resources/parts/words";
import { authSuggestion } from "@/lib/contracts/sources/auth-suggestion";
import { flowGuesses } from "@/lib/resources/parts/flow";
import { jsonObject, slug, toolId } from "@/lib/resources/parts/name";
import { upstreamAuth } from "@/lib/resources/source";

/**
 * The largest body of `POST /api/admin/imports`, in bytes: GitHub's own document has 13 MB, a little more when quoted.
 */
export const MAX_DOCUMENT_BYTES = 32 * 1024 * 1024;
/** The deepest nesting of a document, because its readers recurse. */
export const MAX_DOCUMENT_DEPTH = 200;

/**
 * `POST /api/admin/imports`: imports into an existing source, or into one that applying creates. Reads `url`, or
 * `document` (text, JSON or YAML, or parsed); with neither, the source's stored address (a sync).
 */
export const importInput = z
  .strictObject({
    source: slug,
    url: z
      .url({ protocol: /^https?$/, error: "use an http(s) URL" })
      .max(2048)
      .optional(),
    document: z.union([z.string().min(1), jsonObject]).optional(),
    /** The server for calls, instead of the first server in the document. */
    server: z
      .url({ protocol: /^https?$/, error: "use an http(s) URL" })
      .max(1024)
      .regex(/^[^?#@]*$/, "omit credentials, `?` and `#`")
      .optional(),
    /**
     * For a source that applying creates: how to authenticate at `url` and for calls. An existing source has its own
     * `auth`.
     */
    auth: upstreamAuth.optional(),
  })
  .refine((input) => input.url === undefined || input.document === undefined, {
    path: ["document"],
    message: "state `url` or `document`, not both",
  });

/** The answer of `POST /api/admin/imports`: the id of the import to poll. */
export const importStarted = z.object({ id: z.uuid() });

/** The effect of an import on one tool. */
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
  /** The host of calls as an origin, for a tool that is an HTTP request. */
  host: z.string().nullable().default(null),
  /** For an added tool: the labels and classes that the import guesses. They bind until a person answers them. */
  flowGuess: flowGuesses,
});

/** A host that an import's calls would use, as an origin, and the number of its tools. */
const importHost = z.object({
  host: z.string(),
  tools: z.int(),
  /** The addresses on the host that the paths of operations are added to, such as `https://api.example/v2`: the first 10. */
  bases: z.array(z.string()).default([]),
  /** True when neither the document's server nor a tool of the source uses the host: applying must accept it. */
  foreign: z.boolean(),
});

/** The result of applying: the new revision (or the present one when nothing changed) and counts of tools. */
export const importApplied = z.object({ revision: z.int(), added: z.int(), changed: z.int(), removed: z.int() });

/**
 * `GET /api/admin/imports/{id}`. `planned` and `applied` imports can be applied, even repeatedly. `done` of `total`
 * tools are read, or saved while it is `applying`.
 */
export const importJob = z.object({
  id: z.uuid(),
  source: slug,
  url: z.string().nullable(),
  /** The authentication of the source that applying creates; `null` = not stated, or the source exists. */
  auth: upstreamAuth.nullable(),
  /** Suggestions from the document; empty when the source already authenticates this way. */
  suggestedAuth: z.array(authSuggestion),
  /** The title in the document. */
  title: z.string().nullable(),
  status: z.enum(["running", "planned", "applying", "applied", "failed"]),
  done: z.int(),
  total: z.int(),
  plan: z.object({
    added: z.array(importEntry),
    changed: z.array(importEntry),
    removed: z.array(importEntry),
    unchanged: z.array(importEntry),
    /** Absent in an import that an older app planned: then every host that no tool of the source calls is foreign. */
    hosts: z.array(importHost).default([]),
  }),
  warnings: z.array(
    z.object({
      path: z.string(),
      message: z.string(),
      /** The warning is dealt with once the source has authentication. */
      asksForAuth: z.literal(true).exactOptional(),
    }),
  ),
  /** Why the import failed or was not applied; a sentence for the admin. */
  error: z.string().nullable(),
  /** The result of the last application. */
  applied: importApplied.nullable(),
  /** The change request that applying it became: who asked, and who answered. An import with an open one cannot be applied. */
  request: z
    .object({
      id: z.string(),
      status: z.enum(REQUEST_STATUSES),
      asker: z.string(),
      decidedBy: z.string().nullable(),
    })
    .nullable(),
  createdBy: z.string(),
  createdAt: z.iso.datetime(),
});

/**
 * `POST /api/admin/imports/{id}/apply`: applies the whole plan or a part of it; `auth` becomes the source's. New tools
 * declare `groups`. Without `groups` they declare none: only selectors and inclusions can then add them.
 */
export const importApply = z.strictObject({
  operations: z.union([z.literal("all"), z.array(toolId).max(50_000)], { error: 'use "all" or a list of tool ids' }),
  groups: z.array(slug).max(200).default([]),
  /** The accepted foreign hosts of the plan; tools with another foreign host are refused. */
  hosts: z.array(z.string().max(300)).max(500).optional(),
  auth: upstreamAuth.optional(),
});

/** The answer when applying takes longer than a request should: poll the import until it is not `applying`. */
export const importApplying = importJob.pick({ id: true, status: true, done: true, total: true });

/** An answer names at most this many of the tools that a caller would gain. */
export const MAX_GAINED_NAMED = 10;

/** `POST /api/admin/imports/{id}/callers`: the operations to add, and the groups that they would declare. */
export const importCallersInput = importApply.pick({ operations: true, groups: true });

/** Who would see those new tools: personas, agents and recent callers that would see any. */
export const importCallers = z.object({
  callers: z.array(
    z.object({
      kind: z.enum(["persona", "agent", "caller"]),
      name: z.string(),
      /** The issuer, for a caller of the log. */
      issuer: z.string().nullable(),
      /** The number of new tools that the caller would see, and the first of them. */
      gained: z.object({ count: z.int(), tools: z.array(toolId) }),
    }),
  ),
  /** The number of new tools that at least one of them would see. */
  tools: z.int(),
  /** The number of evaluated personas, agents and callers. */
  asked: z.int(),
  /** True when there are more agents or callers than were evaluated. */
  more: z.boolean(),
});

/** The input of an import. */
export type ImportInput = z.output<typeof importInput>;
/** The part of an import to apply. */
export type ImportApply = z.output<typeof importApply>;
/** A host that an import's calls use. */
export type ImportHost = z.output<typeof importHost>;
/** One line of an import's plan. */
export type ImportEntry = z.output<typeof importEntry>;
/** An import and its plan. */
export type ImportJob = z.output<typeof importJob>;
/** The result of applying. */
export type ImportApplied = z.output<typeof importApplied>;
/** New tools of an import, and their groups. */
export type ImportCallersInput = z.output<typeof importCallersInput>;
/** Who would see an import's new tools. */
export type ImportCallers = z.output<typeof importCallers>;
/** An import that is being applied. */
export type ImportApplying = z.output<typeof importApplying>;
