import type { Json, JsonObject } from "@/lib/access/model/configuration";
import { asList, asObject, isObject } from "@/lib/sources/openapi/json-view";
import { follow } from "@/lib/sources/openapi/reference";

/** Marks a parameter whose items are separated by tabs, which OpenAPI 3 has no style for. */
export const TABS = "x-quartermaster-tabs";

const METHODS = ["get", "put", "post", "delete", "options", "head", "patch"];

/**
 * A Swagger 2 document whose body and form parameters stand in their operations: those of the path, and those
 * behind a reference, which the upgrader would take for ordinary parameters. A host without `schemes` is read as https.
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

/** The parameters of one level; those of a body without their reference. */
function parametersOf(document: JsonObject, level: JsonObject): Json[] {
  return asList(level["parameters"]).map((parameter) => {
    const resolved = follow(document, parameter);
    if (resolved !== null && resolved["collectionFormat"] === "tsv") return { ...resolved, [TABS]: true };
    return resolved !== null && isBody(resolved) ? resolved : parameter;
  });
}

function isBody(parameter: Json): boolean {
  const { in: place } = asObject(parameter);
  return place === "body" || place === "formData";
}

/** There is one body; fields of a form are told apart by their names. */
function isSame(left: Json, right: Json): boolean {
  const [one, other] = [asObject(left), asObject(right)];
  return one["in"] === other["in"] && (one["in"] === "body" || one["name"] === other["name"]);
}
