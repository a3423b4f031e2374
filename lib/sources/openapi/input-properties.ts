import type { JsonObject } from "@/lib/access/model/configuration";

/** The longest property name that every vendor accepts, in characters. */
const MAX_NAME = 64;

/** The longest name to which a number is appended. Another value would rename arguments of imported tools. */
const MAX_BASE = MAX_NAME - 4;

/** Names that every vendor accepts. They stay unchanged. */
const VALID = /^[A-Za-z0-9_.-]{1,64}$/;

/** A property's schema, after cleaning. */
export type PropertySchema = JsonObject | boolean;

/**
 * A tool's arguments, from all parts of a request, as one flat list. Replaces characters that vendors refuse. A name that is
 * in use gets its part as a prefix: `id` of the path, then `body_id`.
 */
export class InputProperties {
  readonly #properties = new Map<string, PropertySchema>();
  readonly #required: string[] = [];
  /** The number to try next, by the name before it. */
  readonly #nextNumber = new Map<string, number>();

  /** Adds an argument and returns its property name. */
  add(name: string, place: string, schema: PropertySchema, required: boolean): string {
    const valid = VALID.test(name) && name !== "__proto__" ? name : toValid(name) || place;
    const property = this.#freeName(valid.slice(0, MAX_NAME), `${place}_${valid}`.slice(0, MAX_NAME));
    this.#properties.set(property, schema);
    if (required) this.#required.push(property);
    return property;
  }

  /** The input schema without `$defs`. It accepts no other arguments. */
  toSchema(): JsonObject {
    return {
      type: "object",
      properties: Object.fromEntries(this.#properties),
      ...(this.#required.length === 0 ? {} : { required: this.#required }),
      additionalProperties: false,
    };
  }

  #freeName(valid: string, prefixed: string): string {
    if (!this.#properties.has(valid)) return valid;
    if (!this.#properties.has(prefixed)) return prefixed;
    const base = prefixed.slice(0, MAX_BASE);
    for (let count = this.#nextNumber.get(base) ?? 2; ; count += 1) {
      const suffix = `_${count}`;
      const name = base.slice(0, MAX_NAME - suffix.length) + suffix;
      if (this.#properties.has(name)) continue;
      this.#nextNumber.set(base, count + 1);
      return name;
    }
  }
}

function toValid(name: string): string {
  return name.replaceAll(/[^A-Za-z0-9_.-]+/g, "_").replaceAll(/^_+|(?<!_)_+$/g, "");
}
