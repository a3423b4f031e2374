import { isObject } from "@/lib/access/model/json";
import type { DocumentProblem } from "@/lib/config/problems";
import type { TrustGraphRow } from "@/lib/config/trustgraph-rows";

/** Fields of a tool that every row states in the same form. */
export interface CommonFields {
  readonly groups?: readonly string[];
  readonly state?: string;
  readonly availableInStates?: readonly string[];
  readonly inputSchema?: object;
}

/** Reports a problem of a row, at a path inside it. */
export type Complain = (path: string, message: string) => void;

/** Both spellings that TrustGraph has used for the same key. */
const STATES = ["available_in_states", "applicable-states"] as const;
const ARGUMENT_TYPES: readonly string[] = ["string", "number", "integer", "boolean", "array", "object"];

/** Returns a function that collects a row's problems under the row's name. */
export function complainAt(row: TrustGraphRow, problems: DocumentProblem[]): Complain {
  return (path, message) => problems.push({ path: path === "" ? row.at : `${row.at}.${path}`, message });
}

/** A text of the row; absent, null and empty are `undefined`. */
export function textAt({ value }: TrustGraphRow, field: string, complain: Complain): string | undefined {
  const text = value[field];
  if (text === undefined || text === null || text === "") return undefined;
  if (typeof text === "string") return text;
  complain(field, "must be text");
  return undefined;
}

/**
 * The groups as written, the states and the arguments of a row. Absent and null mean not stated: the tool is then in
 * `default`, and available in every state. `[]` means none: in no group, or never available.
 */
export function commonFields(row: TrustGraphRow, complain: Complain): CommonFields {
  const groups = textsAt(row, "group", complain);
  const state = textAt(row, "state", complain);
  const availableInStates = statesOf(row, complain);
  const inputSchema = schemaOf(row.value["arguments"], complain);
  return {
    ...(groups !== undefined && { groups }),
    ...(state !== undefined && { state }),
    ...(availableInStates !== undefined && { availableInStates }),
    ...(inputSchema !== undefined && { inputSchema }),
  };
}

function statesOf(row: TrustGraphRow, complain: Complain): readonly string[] | undefined {
  const [one, other] = STATES.map((field) => textsAt(row, field, complain));
  if (one !== undefined && other !== undefined && JSON.stringify(one) !== JSON.stringify(other))
    complain(STATES[1], `differs from \`${STATES[0]}\`: keep one of the two`);
  return one ?? other;
}

function textsAt({ value }: TrustGraphRow, field: string, complain: Complain): readonly string[] | undefined {
  const texts = value[field];
  if (texts === undefined || texts === null) return undefined;
  if (!Array.isArray(texts)) {
    complain(field, "must be a list of names");
    return undefined;
  }
  texts.forEach((text: unknown, at) => {
    if (typeof text !== "string" || text === "") complain(`${field}[${at}]`, "must be a name");
  });
  return [...new Set(texts.filter((text): text is string => typeof text === "string" && text !== ""))];
}

/** The paths of argument members that have no counterpart here. */
export function argumentsLeftOut({ value }: TrustGraphRow): string[] {
  const stated = value["arguments"];
  if (!Array.isArray(stated)) return [];
  return stated.flatMap((argument: unknown, at) =>
    isObject(argument)
      ? Object.keys(argument).flatMap((name) =>
          ["name", "type", "description"].includes(name) ? [] : [`arguments[${at}].${name}`],
        )
      : [],
  );
}

/** Converts TrustGraph's arguments (`name`, `type`, `description`) to a JSON Schema. All of them are required there. */
function schemaOf(stated: unknown, complain: Complain): object | undefined {
  if (stated === undefined || stated === null) return undefined;
  if (!Array.isArray(stated)) {
    complain("arguments", "must be a list of `name`, `type` and `description`");
    return undefined;
  }
  const properties = new Map<string, object>();
  stated.forEach((argument: unknown, at) => {
    const path = `arguments[${at}]`;
    if (!isObject(argument)) return complain(path, "must be an object with `name`, `type` and `description`");
    const { name, type = "string", description } = argument;
    if (typeof name !== "string" || name === "") return complain(`${path}.name`, "state the argument's name");
    if (properties.has(name)) return complain(`${path}.name`, `\`${name}\` occurs twice`);
    if (typeof type !== "string" || !ARGUMENT_TYPES.includes(type))
      return complain(`${path}.type`, `use one of ${ARGUMENT_TYPES.join(", ")}`);
    if (description !== undefined && description !== null && typeof description !== "string")
      return complain(`${path}.description`, "must be text");
    properties.set(name, { type, ...(typeof description === "string" && description !== "" && { description }) });
  });
  return schemaWith(properties);
}

/** The schema of an object with exactly these properties. */
export function schemaWith(properties: ReadonlyMap<string, object>): object {
  return {
    type: "object",
    properties: Object.fromEntries(properties),
    required: [...properties.keys()],
    additionalProperties: false,
  };
}
