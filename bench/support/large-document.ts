import { existsSync, readFileSync } from "node:fs";
import type { JsonObject } from "@/lib/access/model/configuration";
import { seeded } from "@/test/support/seeded";

/** A document of GitHub's size. */
export interface LargeDocument {
  readonly name: string;
  readonly text: string;
}

/**
 * Reads the document that OPENAPI_DOCUMENT names, else generates one. GitHub's own (13 MB, 1,223 operations) is not
 * installed: run `npm pack @octokit/openapi` in another folder, unpack generated/api.github.com.json and name it.
 */
export function largeDocument(): LargeDocument {
  const file = process.env["OPENAPI_DOCUMENT"];
  return file !== undefined && existsSync(file)
    ? { name: file, text: readFileSync(file, "utf8") }
    : { name: "made up: 1,000 operations", text: JSON.stringify(madeUp()) };
}

/** Generates a thousand operations over two thousand schemas that all refer to each other. */
function madeUp(): JsonObject {
  const schemas = Object.fromEntries(
    Array.from({ length: 2000 }, (_, index) => [
      `S${index}`,
      {
        type: "object",
        description: "d".repeat(3000),
        properties: Object.fromEntries(
          [1, 7, 31].map((step) => [`p${step}`, { $ref: `#/components/schemas/S${(index * step + 1) % 2000}` }]),
        ),
      },
    ]),
  );
  const paths = Object.fromEntries(
    Array.from({ length: 1000 }, (_, index) => {
      const content = { "application/json": { schema: { $ref: `#/components/schemas/S${index}` } } };
      const responses = { 200: { description: "It.", content } };
      return [`/items/${index}/{id}`, { put: { requestBody: { required: true, content }, responses } }];
    }),
  );
  return { openapi: "3.0.3", servers: [{ url: "https://api.example" }], paths, components: { schemas } };
}

/** Operations of a very large document of about 20 MB, as many as Microsoft Graph has, and the bytes of each. */
const OPERATIONS = 11_422;
const WORDS = ["list", "create", "fetch", "replace", "remove", "of", "the", "user", "group", "message", "file", "and"];

/** Generates a document of 20 MB with 11,422 operations over 3,000 schemas. Seeded: the same each time. */
export function hugeDocument(): string {
  const random = seeded(17);
  const prose = (length: number): string => {
    let text = "";
    while (text.length < length) text += `${WORDS[Math.floor(random() * WORDS.length)]} `;
    return text.trim();
  };
  const schemaAt = (index: number) => ({ $ref: `#/components/schemas/Entity${index % 3000}` });
  const schemas = Object.fromEntries(
    Array.from({ length: 3000 }, (_, index) => [
      `Entity${index}`,
      {
        type: "object",
        description: prose(150),
        properties: Object.fromEntries([
          ...Array.from({ length: 8 }, (__, at) => [`field${at}`, { type: "string", description: prose(60) }]),
          ["next", schemaAt(index * 7 + 1)],
          ["others", { type: "array", items: schemaAt(index * 31 + 5) }],
        ]),
      },
    ]),
  );
  const paths = Object.fromEntries(
    Array.from({ length: OPERATIONS }, (_, index) => {
      const content = { "application/json": { schema: schemaAt(index) } };
      const parameters = Array.from({ length: 4 }, (__, at) => ({
        name: `parameter${at}`,
        in: "query",
        description: prose(90),
        schema: { type: "string" },
      }));
      // As in an API over entities: half of the operations read, and only those that write have a body.
      const method =
        ["get", "get", "post", "get", "patch", "get", "post", "delete", "get", "patch"][index % 10] ?? "get";
      const operation = {
        operationId: `segment${index % 97}.entity_${index}`,
        summary: prose(60),
        description: prose(250),
        tags: [`segment${index % 97}`],
        parameters: [...parameters, { name: "id", in: "path", required: true, schema: { type: "string" } }],
        ...((method === "post" || method === "patch") && { requestBody: { required: true, content } }),
        responses: { 200: { description: prose(40), content } },
      };
      return [`/segment${index % 97}/entities${index}/{id}`, { [method]: operation }];
    }),
  );
  return JSON.stringify({
    openapi: "3.0.3",
    servers: [{ url: "https://api.example" }],
    paths,
    components: { schemas },
  });
}
