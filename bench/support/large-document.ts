import { existsSync, readFileSync } from "node:fs";
import type { JsonObject } from "@/lib/access/configuration";

/** A document of GitHub's size. */
export interface LargeDocument {
  readonly name: string;
  readonly text: string;
}

/**
 * The document that OPENAPI_DOCUMENT names, else a made-up one. GitHub's own (13 MB, 1,223 operations) is not installed:
 * `npm pack @octokit/openapi` elsewhere, unpack generated/api.github.com.json and name it.
 */
export function largeDocument(): LargeDocument {
  const file = process.env["OPENAPI_DOCUMENT"];
  return file !== undefined && existsSync(file)
    ? { name: file, text: readFileSync(file, "utf8") }
    : { name: "made up: 1,000 operations", text: JSON.stringify(madeUp()) };
}

/** A thousand operations over two thousand schemas that all refer to each other. */
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
