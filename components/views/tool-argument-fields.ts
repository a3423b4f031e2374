import type { Json, JsonObject } from "@/lib/access/configuration";
import { entriesOf, isObject, listOf, resolveRef, typesOf } from "@/lib/manifest/json-schema";

/** One argument of a tool, as a form asks for it. */
export interface ArgumentField {
  readonly name: string;
  /** `choice`: one of `choices`, each a JSON text. `json`: whatever has no control of its own. */
  readonly kind: "text" | "number" | "choice" | "json";
  readonly choices: readonly string[];
  readonly required: boolean;
  /** The schema's own words; empty = it has none. */
  readonly description: string;
  /** An example of the schema's, or what is taken when the argument is left out; empty = neither is stated. */
  readonly example: string;
}

/** The fields of a form for an input schema: its top-level properties, those that must be sent first. */
export function argumentFields(schema: JsonObject): readonly ArgumentField[] {
  const required = listOf(schema["required"]);
  return entriesOf(schema["properties"])
    .map(([name, property]) => argumentField(name, property, required.includes(name), schema))
    .toSorted((left, right) => Number(right.required) - Number(left.required));
}

function argumentField(name: string, property: Json, required: boolean, root: JsonObject): ArgumentField {
  const stated = isObject(property) ? property : {};
  const target = resolveRef(stated["$ref"], root);
  const schema = isObject(target) ? { ...target, ...stated } : stated;
  const example = listOf(schema["examples"])[0] ?? schema["example"] ?? schema["default"];
  return {
    name,
    ...controlOf(schema),
    required,
    description: typeof schema["description"] === "string" ? schema["description"] : "",
    example: example === undefined ? "" : typeof example === "string" ? example : JSON.stringify(example),
  };
}

/** The control of a value. `null` beside one type has no control: whoever means it writes JSON. */
function controlOf(schema: JsonObject): Pick<ArgumentField, "kind" | "choices"> {
  const values = schema["const"] === undefined ? listOf(schema["enum"]) : [schema["const"]];
  if (values.length > 0) return { kind: "choice", choices: values.map((value) => JSON.stringify(value)) };
  const types = typesOf(schema).filter((type) => type !== "null");
  if (types.length !== 1) return { kind: "json", choices: [] };
  if (types[0] === "boolean") return { kind: "choice", choices: ["true", "false"] };
  if (types[0] === "string") return { kind: "text", choices: [] };
  return { kind: types[0] === "number" ? "number" : "json", choices: [] };
}
