import { append, inCode } from "@/lib/access/model/lists";
import { componentSchemas, inlineSchema, refTo } from "@/lib/contracts/openapi/components";
import { heldChange } from "@/lib/contracts/changes/request";
import type {
  Answer,
  Content,
  OpenApiDocument,
  Parameter,
  PublishedOperation,
  Schema,
} from "@/lib/contracts/openapi/open-api";
import { errorsOf, HEADERS, CHAPTERS, type HeaderName, type Operation } from "@/lib/contracts/operations/operation";
import { OPERATIONS } from "@/lib/contracts/operations/operations";
import { ERRORS, publicCode, type ErrorCode } from "@/lib/errors";
import { resources } from "@/lib/resources/index";
import { isResourceName } from "@/lib/resources/kinds";
import { listQuery } from "@/lib/contracts/changes/list";
import { PERMISSIONS } from "@/lib/resources/permissions";

const DESCRIPTION = `Quartermaster decides which tools an AI agent may see and call, runs the calls, and proves afterwards why.

Agents send an API key \`qm_…\` or a token of a configured issuer as \`Authorization: Bearer\`. People have a session
cookie, automation a personal access token \`qmp_…\`. The credentials of one plane are refused by the other. Every error is
\`application/problem+json\` (RFC 9457) with a \`code\`; a tool call that was parsed answers a tool call result.
Unknown fields are refused. Times are ISO 8601. Every answer has \`x-request-id\`.`;

/** The described release, equal to package.json's version. */
export const API_VERSION = "0.1.0";

/** The whole API as one OpenAPI document, built once from the table of operations at first import. */
export const openApi: OpenApiDocument = {
  openapi: "3.1.1",
  info: { title: "Quartermaster", version: API_VERSION, description: DESCRIPTION },
  servers: [{ url: "/" }],
  tags: [...new Map(OPERATIONS.map((operation) => [tagOf(operation).name, tagOf(operation)])).values()],
  paths: toPaths(),
  components: {
    schemas: componentSchemas(),
    securitySchemes: {
      agent: { type: "http", scheme: "bearer", description: "An API key `qm_…`, or a JWT of a configured issuer." },
      token: {
        type: "http",
        scheme: "bearer",
        description: "A personal access token `qmp_…`. It has the permissions of its role.",
      },
      metrics: { type: "http", scheme: "bearer", description: "The value of METRICS_TOKEN." },
      session: {
        type: "apiKey",
        in: "cookie",
        name: "next-auth.session-token",
        description:
          "A signed-in person. Over TLS the name begins with `__Secure-`. Requests that change something also need the `Origin` of this server.",
      },
    },
  },
};

function toPaths(): OpenApiDocument["paths"] {
  const paths: Record<string, Record<string, PublishedOperation>> = {};
  for (const operation of OPERATIONS) (paths[operation.path] ??= {})[operation.method] = published(operation);
  return paths;
}

/** The tag of a chapter. */
function tagOf({ chapter }: Operation): { name: string; description: string } {
  if (!isResourceName(chapter)) return { name: CHAPTERS[chapter][0], description: CHAPTERS[chapter][1] };
  const { words, id } = resources[chapter];
  const name = words[1].charAt(0).toUpperCase() + words[1].slice(1);
  return { name, description: `List, create, read, replace and delete rows by \`${id}\`.` };
}

function published(operation: Operation): PublishedOperation {
  const { id, summary, params, query, headers = [], body, bodyTypes } = operation;
  const parameters = [
    ...(params === undefined ? [] : toParameters(inlineSchema(params), "path")),
    ...(query === undefined ? [] : toParameters(inlineSchema(query), "query", query === listQuery)),
    ...headers.map(toHeader),
    ...(operation.reviewed === true ? [toHeader("Review-Reason?"), toHeader("Prefer?")] : []),
  ];
  const description = [operation.description, needs(operation)].filter((text) => text !== undefined).join("\n\n");
  return {
    operationId: id,
    tags: [tagOf(operation).name],
    summary,
    ...(description === "" ? {} : { description }),
    security: securityOf(operation),
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(body === undefined
      ? {}
      : {
          requestBody: {
            required: !body.safeParse(undefined).success,
            content: contentOf(refTo(body, "sent", id), bodyTypes ?? ["application/json"]),
          },
        }),
    responses: { ...answersOf(operation), ...heldOf(operation), ...problemsOf(operation) },
  };
}

function needs({ who }: Operation): string | undefined {
  if (who === "agent" || who === "anyone") return undefined;
  return `Needs the permission \`${who}\`: ${PERMISSIONS[who].join(", ")}.`;
}

function securityOf({ who, helps = [] }: Operation): PublishedOperation["security"] {
  if (who === "anyone") return helps.length === 0 ? [] : [...helps.map((name) => ({ [name]: [] })), {}];
  return who === "agent" ? [{ agent: [] }] : [{ token: [] }, { session: [] }];
}

function toParameters(schema: Schema, place: "path" | "query", filtered = false): Parameter[] {
  const required = new Set(schema.required);
  const named = Object.entries(schema.properties ?? {}).map(([name, { description, ...rest }]) => ({
    name,
    in: place,
    required: place === "path" || required.has(name),
    ...(description === undefined ? {} : { description }),
    schema: rest,
  }));
  if (!filtered) return named;
  const free: Schema = { type: "object", additionalProperties: { type: "string" } };
  const description =
    "Filters by columns of the list, such as `enabled=true`. An unknown filter is a 400 that names the known ones.";
  return [
    ...named,
    { name: "filters", in: place, required: false, description, schema: free, style: "form", explode: true },
  ];
}

function toHeader(header: HeaderName): Parameter {
  return {
    name: header.replace("?", ""),
    in: "header",
    required: header === "If-Match",
    description: HEADERS[header],
    schema: { type: "string" },
  };
}

function answersOf({ id, answers, refusals }: Operation): Record<string, Answer> {
  const given = answers.map(({ status, description, schema, types, etag }): [string, Answer] => {
    const shape = schema === undefined ? {} : refTo(schema, "answered", id);
    const has = schema !== undefined || types !== undefined;
    return [
      String(status),
      {
        description,
        ...(etag === true
          ? { headers: { ETag: { description: "The version of this answer.", schema: { type: "string" } } } }
          : {}),
        ...(has ? { content: contentOf(shape, types ?? ["application/json"]) } : {}),
      },
    ];
  });
  if (refusals === undefined) return Object.fromEntries(given);
  const shape = refTo(refusals.schema, "answered", id);
  const refused = [...byStatus(refusals.codes)].filter(([status]) => status !== 200);
  return Object.fromEntries([
    ...given,
    ...refused.map(([status, codes]): [string, Answer] => [
      String(status),
      { description: inCode(codes), content: contentOf(shape, ["application/json"]) },
    ]),
  ]);
}

/** The answer of a change that became a request, besides another answer of the same status. */
function heldOf(operation: Operation): Record<string, Answer> {
  if (operation.reviewed !== true) return {};
  const held = refTo(heldChange, "answered", operation.id);
  const existing = answersOf(operation)["202"];
  const other = existing?.content?.["application/json"]?.schema;
  const description = "Nothing is saved: the change waits for a second person.";
  return {
    "202": {
      description: existing === undefined ? description : `${existing.description} Or: ${description}`,
      content: contentOf(other === undefined ? held : { anyOf: [other, held] }, ["application/json"]),
    },
  };
}

/** Problem documents by status with their codes, combined with another shape when a status has both. */
function problemsOf(operation: Operation): Record<string, Answer> {
  const others = answersOf(operation);
  return Object.fromEntries(
    [...byStatus(errorsOf(operation))].map(([status, codes]) => {
      const code: Schema = { type: "object", properties: { code: { enum: codes } } };
      const problem: Schema = { allOf: [{ $ref: "#/components/schemas/Problem" }, code] };
      const existing = others[String(status)];
      const description =
        existing === undefined ? inCode(codes) : `${existing.description}; before the call is parsed ${inCode(codes)}`;
      return [
        String(status),
        { description, content: { ...existing?.content, ...contentOf(problem, ["application/problem+json"]) } },
      ];
    }),
  );
}

function byStatus(codes: readonly ErrorCode[]): Map<number, ErrorCode[]> {
  const found = new Map<number, ErrorCode[]>();
  for (const code of codes) append(found, ERRORS[code].status, publicCode(code));
  return found;
}

function contentOf(schema: Schema, types: readonly string[]): Content {
  return Object.fromEntries(types.map((type) => [type, { schema }]));
}
