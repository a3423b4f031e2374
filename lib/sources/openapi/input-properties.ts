import type { JsonObject } from "@/lib/access/model/configuration";

/** Longest property name that every vendor accepts, in characters. */
const MAX_PROPERTY = 64;

/** Longest beginning of a numbered name. Changing it would rename arguments of imported tools. */
const MAX_BASE = MAX_PROPERTY - 4;

/** Names that every vendor accepts. They stay unchanged. */
const VALID = /^[A-Za-z0-9_.-]{1,64}$/;

/** A property's schema, after cleaning. */
export type PropertySchema = JsonObject | boolean;

/**
 * The flat list of a tool's arguments from all parts of a request. Replaces characters that vendors refuse. A name in use
 * gets its place as a prefix: `id` of the path, then `body_id`.
 */
export class InputProperties {
  readonly #properties = new Map<string, PropertySchema>();
  readonly #required: string[] = [];
  /** By the beginning of a numbered name, the number to try next. */
  readonly #next = new Map<string, number>();

  /** Adds an argument and returns its property name. */
  add(name: string, place: string, schema: PropertySchema, required: boolean): string {
    const plain = VALID.test(name) && name !== "__proto__" ? name : madePlain(name) || place;
    const property = this.#free(plain.slice(0, MAX_PROPERTY), `${place}_${plain}`.slice(0, MAX_PROPERTY));
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

  #free(plain: string, placed: string): string {
    if (!this.#properties.has(plain)) return plain;
    if (!this.#properties.has(placed)) return placed;
    const base = placed.slice(0, MAX_BASE);
    for (let count = this.#next.get(base) ?? 2; ; count += 1) {
      const suffix = `_${count}`;
      const name = base.slice(0, MAX_PROPERTY - suffix.length) + suffix;
      if (this.#properties.has(name)) continue;
      this.#next.set(base, count + 1);
      return name;
    }
  }
}

function madePlain(name: string): string {
  return name.replaceAll(/[^A-Za-z0-9_.-]+/g, "_").replaceAll(/^_+|_+$/g, "");
}
