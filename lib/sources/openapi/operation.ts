import type { Json, JsonObject } from "@/lib/access/model/configuration";
import { toolInput, type ToolInput } from "@/lib/resources/tool";
import { toolDescription } from "@/lib/sources/import/tool-description";
import { addBody } from "@/lib/sources/openapi/body";
import { TOO_LARGE } from "@/lib/sources/openapi/fit-schema";
import { InputProperties, type PropertySchema } from "@/lib/sources/openapi/input-properties";
import { isObject } from "@/lib/access/model/json";
import { asList, asObject, asText } from "@/lib/sources/openapi/json-view";
import { jsonType } from "@/lib/sources/openapi/media-type";
import { addParameters } from "@/lib/sources/openapi/parameters";
import { follow } from "@/lib/sources/openapi/reference";
import type { SchemaBundler } from "@/lib/sources/openapi/schema-bundle";
import { maskSecretShapes } from "@/lib/telemetry/secret-shapes";

interface OperationContext {
  readonly document: JsonObject;
  readonly bundler: SchemaBundler;
  readonly source: string;
  /** Its operation name, from `nameOperations`. */
  readonly name: string;
  /** Upper case. */
  readonly method: string;
  readonly path: string;
  readonly pathItem: JsonObject;
  readonly operation: JsonObject;
  /** An absolute URL without a trailing slash. */
  readonly server: string;
  readonly note: (message: string) => void;
}

/** Turns an operation into a tool; `null`, with a note, if it could not be called. */
export function toTool(context: OperationContext): ToolInput | null {
  const { document, bundler, operation, note } = context;
  if (/^[^?#]*\?[^#]*[{}]/.test(context.path)) {
    note(
      "left out: its path has a placeholder in the query, which calls cannot fill: declare a query parameter instead",
    );
    return null;
  }
  const input = new InputProperties();
  const references: string[] = [];
  const clean = (schema: Json): PropertySchema => {
    const part = bundler.cleanPart(schema, note, "input");
    references.push(...part.references);
    return part.schema;
  };
  const parameters = addParameters([context.pathItem, operation], context.path, input, { document, clean, note });
  const body = parameters === null ? null : addBody(context.method, operation, input, { document, clean, note });
  if (parameters === null || body === null) {
    note("left out: something that it requires cannot be sent");
    return null;
  }
  const schema = bundler.bundle({ schema: input.toSchema(), references }, note, "input");
  if (schema.pruned) note(TOO_LARGE);
  const tool = toolInput.safeParse({
    id: `${context.source}:${context.name}`,
    displayName: asText(operation["summary"])?.slice(0, 200) ?? null,
    description: description(context, schema.pruned),
    // The cleaned schemas are added below. Parsing would copy the definitions that thousands of operations share.
    inputSchema: {},
    ...behaviour(context),
    path: context.path,
    method: context.method,
    tags: tags(operation),
    run: {
      kind: "http",
      method: context.method,
      url: `${context.server}${context.path}`,
      headers: body.contentType === null ? {} : { "content-type": body.contentType },
      parameters,
      body: body.body,
    },
  });
  const [problem] = tool.error?.issues ?? [];
  if (problem !== undefined) note(`left out: ${problem.path.join(".")}: ${problem.message}`);
  if (!tool.success) return null;
  const schemas = { inputSchema: schema.schema, outputSchema: outputSchema(context) };
  return { ...tool.data, ...(schemas as Pick<ToolInput, keyof typeof schemas>) };
}

function description({ operation, method, path }: OperationContext, pruned: boolean): string {
  const summary = asText(operation["summary"]);
  const long = asText(operation["description"]);
  const paragraphs = [
    operation["deprecated"] === true ? "Deprecated by its source." : null,
    summary !== null && long?.startsWith(summary) !== true ? summary : null,
    long,
  ].filter((part) => part !== null);
  const text = paragraphs.length === 0 ? maskSecretShapes(`${method} ${path}`) : paragraphs.join("\n\n");
  return toolDescription(text, pruned);
}

/** The effects that the method promises (RFC 9110, 9.2). */
function behaviour({ method, operation }: OperationContext): Pick<ToolInput, "annotations" | "hasSideEffects"> {
  const readOnly = ["GET", "HEAD", "OPTIONS"].includes(method);
  const title = asText(operation["summary"])?.slice(0, 200);
  return {
    hasSideEffects: !readOnly,
    annotations: {
      ...(title === undefined ? {} : { title }),
      readOnlyHint: readOnly,
      ...(readOnly ? {} : { destructiveHint: method === "DELETE" }),
      idempotentHint: readOnly || method === "PUT" || method === "DELETE",
      openWorldHint: true,
    },
  };
}

function tags(operation: JsonObject): string[] {
  const texts = asList(operation["tags"]).flatMap((tag) => asText(tag)?.slice(0, 200) ?? []);
  return [...new Set(texts)].slice(0, 200);
}

/** The output schema, only for an operation with one successful response: an output that does not match it gets a warning. */
function outputSchema(context: OperationContext): JsonObject | null {
  const { document, operation, bundler, note } = context;
  const successes = Object.entries(asObject(operation["responses"])).filter(([status]) =>
    /^2(?:\d\d|XX)$/i.test(status),
  );
  const [only, ...others] = successes;
  if (only === undefined || others.length > 0) return null;
  const content = asObject(follow(document, only[1])?.["content"]);
  const type = Object.keys(content).length === 0 ? null : jsonType(content);
  const schema = type === null ? undefined : asObject(content[type])["schema"];
  if (schema === undefined) return null;
  const part = bundler.cleanPart(schema, note, "output");
  if (!isObject(part.schema)) return null;
  // A cut schema would not check the output.
  return bundler.bundleIfWhole({ schema: part.schema, references: part.references }, note, "output");
}
