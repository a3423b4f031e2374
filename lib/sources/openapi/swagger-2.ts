import type { Json, JsonObject } from "@/lib/access/model/configuration";
import { isObject } from "@/lib/access/model/json";
import { asList, asObject } from "@/lib/sources/openapi/json-view";
import { follow } from "@/lib/sources/openapi/reference";

/** Marks a parameter whose `collectionFormat` has no style in OpenAPI 3, and each list of a form that is not `multi`. */
export const SEPARATED = "x-quartermaster-separated";

const METHODS = ["get", "put", "post", "delete", "options", "head", "patch"];

/**
 * Moves body and form parameters of paths and references into the operations of a Swagger 2 document. The upgrader would
 * treat them as ordinary parameters. Reads a host without `schemes` as https.
 */
export function withOwnBodies(document: JsonObject): JsonObject {
  const paths = Object.entries(asObject(document["paths"])).map(([path, item]): [string, Json] => [
    path,
    isObject(item) ? withBodiesOfPath(document, item) : item,
  ]);
  const schemes = document["host"] === undefined ? {} : { schemes: ["https"] };
  return { ...schemes, ...document, paths: Object.fromEntries(paths) };
}

function withBodiesOfPath(document: JsonObject, pathItem: JsonObject): JsonObject {
  const shared = parametersOf(document, pathItem);
  const operations = Object.entries(pathItem).filter(([key, value]) => METHODS.includes(key) && isObject(value));
  return {
    ...pathItem,
    parameters: shared.filter((parameter) => !isBody(parameter)),
    ...Object.fromEntries(
      operations.map(([method, operation]): [string, Json] => {
        const own = parametersOf(document, asObject(operation));
        const bodies = shared.filter((parameter) => isBody(parameter) && !own.some((one) => isSame(one, parameter)));
        return [method, { ...asObject(operation), parameters: [...bodies, ...own] }];
      }),
    ),
  };
}

/** The parameters of one level, with references to body parameters resolved. */
function parametersOf(document: JsonObject, level: JsonObject): Json[] {
  return asList(level["parameters"]).map((parameter) => {
    const resolved = follow(document, parameter);
    if (resolved === null) return parameter;
    const { in: place, type, collectionFormat = "csv" } = resolved;
    if (type !== "array") return isBody(resolved) ? resolved : parameter;
    // The upgrader does not know the default of form fields. Their media type decides what can be sent.
    if (place === "formData")
      return { ...resolved, collectionFormat, ...(collectionFormat !== "multi" && { [SEPARATED]: collectionFormat }) };
    const withoutStyle = place === "query" ? ["tsv"] : ["tsv", "ssv", "pipes"];
    return withoutStyle.includes(String(collectionFormat)) ? { ...resolved, [SEPARATED]: collectionFormat } : parameter;
  });
}

function isBody(parameter: Json): boolean {
  const { in: place } = asObject(parameter);
  return place === "body" || place === "formData";
}

/** Whether two parameters are the same. An operation has one body; form fields differ by name. */
function isSame(left: Json, right: Json): boolean {
  const [one, other] = [asObject(left), asObject(right)];
  return one["in"] === other["in"] && (one["in"] === "body" || one["name"] === other["name"]);
}
