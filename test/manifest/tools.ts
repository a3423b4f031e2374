import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import type { JsonObject, Tool } from "@/lib/access/model/configuration";
import { atOnce } from "@/lib/access/model/parts";
import type { ManifestEntry } from "@/lib/manifest/entries";
import { manifestTexts } from "@/lib/manifest/index";
import { toolInput } from "@/lib/resources/tool";
import { importOpenApi } from "@/lib/sources/openapi/import-openapi";
import { readOpenApi } from "@/lib/sources/openapi/read-document";
import { builtinTools } from "@/lib/calls/builtin/index";

const examples = join(
  dirname(createRequire(import.meta.url).resolve("@readme/oas-examples/3.1/json/petstore.json")),
  "../..",
);

/** The manifest entry of a tool that its caller sees. */
export function entryOf(inputSchema: JsonObject, changes: object = {}): ManifestEntry {
  const stated = toolInput.parse({ id: "s:tool", description: "A tool.", inputSchema, ...changes });
  const tool = { ...stated, definitionHash: "" } as Tool;
  return {
    resolved: { tool, exposedName: tool.name, callable: true, groups: [], conditional: false },
    description: tool.description,
    conditions: [],
  };
}

/** A manifest as its reader parses it. */
export function renderManifest(...list: Parameters<typeof manifestTexts>) {
  const { texts, notes } = atOnce(manifestTexts(...list));
  return { data: texts.map((text) => JSON.parse(text) as object), notes };
}

/** Every tool in code, and every tool of real OpenAPI documents, which the package has as JSON and as YAML. */
export function realEntries(): readonly ManifestEntry[] {
  const imported = ["2.0", "3.0", "3.1"].flatMap((version) =>
    readdirSync(join(examples, version, "json"))
      .filter((name) => name.endsWith(".json"))
      .flatMap((name) => {
        const document = readOpenApi(readFileSync(join(examples, version, "json", name), "utf8"));
        return importOpenApi(document, { source: "x", url: "https://docs.example/openapi.json", known: new Map() })
          .tools;
      }),
  );
  return [...builtinTools(), ...imported].map((tool) => entryOf(tool.inputSchema as JsonObject, tool));
}
