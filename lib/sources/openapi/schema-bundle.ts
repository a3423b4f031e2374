import { createHash } from "node:crypto";
import type { Json, JsonObject } from "@/lib/access/model/configuration";
import { MAX_DEPTH, MAX_SCHEMA_BYTES, MAX_SUBSCHEMAS } from "@/lib/calls/schemas/schema-bounds";
import { loosen } from "@/lib/manifest/schema/subschemas";
import { cleanSchema, type CleanContext, type Direction } from "@/lib/sources/openapi/clean-schema";
import {
  boundSchema,
  fitSchema,
  LEFT_OUT,
  LEFT_OUT_MEASURE,
  measureSchema,
  SCHEMA_BUDGET,
  sizeOf,
  type SchemaMeasure,
} from "@/lib/sources/openapi/fit-schema";
import { atPointer, pointersOfAnchors, pointerSteps } from "@/lib/sources/openapi/reference";

/** A schema and the JSON pointers that it references, in order. */
interface Part {
  readonly schema: JsonObject | boolean;
  readonly references: readonly string[];
}

/** A part whose schema is an object. */
type ObjectPart = Part & { readonly schema: JsonObject };

/** A cleaned part of the document, for `$defs`. */
interface Definition extends Part {
  readonly name: string;
  readonly measure: SchemaMeasure;
  /** The loosened schema, for a bundle in which parts are left out. */
  readonly loose: () => Json;
}

/** An entry of `$defs`; `null` = left out, because it does not fit. */
type Placed = readonly [name: string, Definition | null];

/**
 * Makes schemas of a document self-contained. Bundles their references under `$defs` and never inlines them, because many
 * documents are circular. Cleans, measures and loosens each part of the document once per direction, because thousands of
 * operations share it.
 */
export class SchemaBundler {
  readonly #document: JsonObject;
  readonly #settings: Pick<CleanContext, "hasCheckedPatterns">;
  readonly #definitions = new Map<Direction | undefined, Map<string, Definition>>();
  readonly #names = new Map<string, string | null>();
  #anchors: ReadonlyMap<string, string> | null = null;

  /** @param settings for cleaning every part */
  constructor(document: JsonObject, settings: Pick<CleanContext, "hasCheckedPatterns"> = {}) {
    this.#document = document;
    this.#settings = settings;
  }

  /** Cleans one schema. Its `$ref`s lead to `#/$defs/…`, which `bundle` adds. @param direction only for OpenAPI documents */
  cleanPart(schema: Json, note: (message: string) => void, direction?: Direction): Part {
    const references = new Set<string>();
    const clean = cleanSchema(schema, {
      ...this.#settings,
      note,
      ...(direction !== undefined && { direction }),
      resolve: (reference) => atPointer(this.#document, reference),
      refer: (stated) => {
        const reference = this.#asPointer(stated);
        const name = this.#nameOf(reference);
        if (name === null) note(`the reference ${reference.slice(0, 200)} leads nowhere inside the document: left out`);
        else references.add(reference);
        return name === null ? null : `#/$defs/${name}`;
      },
    });
    return { schema: clean, references: [...references] };
  }

  /**
   * Adds the definitions to a cleaned schema, nearest first, within the budget and the validator's limits. A cut schema
   * accepts every value that the whole one accepts.
   */
  bundle(
    { schema, references }: ObjectPart,
    note: (message: string) => void,
    direction?: Direction,
  ): { readonly schema: JsonObject; readonly pruned: boolean } {
    const fitted = fitSchema(schema);
    const used = fitted.pruned ? this.#referencesIn(fitted.schema, references) : references;
    const placed = [...this.#place(used, SCHEMA_BUDGET - sizeOf(fitted.schema), note, direction)];
    const pruned = fitted.pruned || placed.some(([, definition]) => definition === null);
    const strict = withDefinitions(fitted.schema, placed, (definition) => definition.schema);
    const bounded = fitsByMeasure(fitted.schema, placed) ? strict : boundSchema(strict);
    if (bounded !== strict) return { schema: loosen(bounded) as JsonObject, pruned: true };
    if (!pruned) return { schema: strict, pruned };
    const loose = withDefinitions(loosen(fitted.schema) as JsonObject, placed, (definition) => definition.loose());
    return { schema: loose, pruned };
  }

  /** Like `bundle`, but returns `null` instead of a cut schema. */
  bundleIfWhole(
    { schema, references }: ObjectPart,
    note: (message: string) => void,
    direction?: Direction,
  ): JsonObject | null {
    const fitted = fitSchema(schema);
    if (fitted.pruned) return null;
    const placed: Placed[] = [];
    for (const one of this.#place(references, SCHEMA_BUDGET - sizeOf(fitted.schema), note, direction)) {
      if (one[1] === null) return null;
      placed.push(one);
    }
    const all = withDefinitions(fitted.schema, placed, (definition) => definition.schema);
    return fitsByMeasure(fitted.schema, placed) || boundSchema(all) === all ? all : null;
  }

  /** The references that are left in a schema after it was cut. */
  #referencesIn(schema: JsonObject, references: readonly string[]): readonly string[] {
    const stated = JSON.stringify(schema).matchAll(/"\$ref":"#\/\$defs\/([^"]+)"/g);
    const names = new Set(Array.from(stated, ([, name]) => name));
    return references.filter((reference) => names.has(this.#nameOf(reference) ?? ""));
  }

  /** The definitions that a schema needs, nearest first, as far as they fit into `budget` bytes of JSON. */
  *#place(
    references: readonly string[],
    budget: number,
    note: (message: string) => void,
    direction?: Direction,
  ): Generator<Placed, void, undefined> {
    const queue = new Set(references);
    let bytesLeft = budget;
    // Iteration over a set includes members that are added meanwhile.
    for (const reference of queue) {
      const definition = this.#definitionAt(reference, note, direction);
      const fits = definition.measure.bytes <= bytesLeft;
      yield [definition.name, fits ? definition : null];
      if (!fits) continue;
      bytesLeft -= definition.measure.bytes;
      for (const next of definition.references) queue.add(next);
    }
  }

  /** Turns a reference to an anchor into a pointer. */
  #asPointer(reference: string): string {
    if (!/^#[^/]/.test(reference)) return reference;
    this.#anchors ??= pointersOfAnchors(this.#document);
    return this.#anchors.get(reference) ?? reference;
  }

  /** The name of a definition; `null` if the reference leads nowhere, or to the whole document. */
  #nameOf(reference: string): string | null {
    const known = this.#names.get(reference);
    if (known !== undefined) return known;
    const isPart = reference !== "#" && atPointer(this.#document, reference) !== undefined;
    const name = isPart ? definitionName(reference) : null;
    this.#names.set(reference, name);
    return name;
  }

  #definitionAt(reference: string, note: (message: string) => void, direction: Direction | undefined): Definition {
    const definitions = this.#definitions.get(direction) ?? new Map<string, Definition>();
    this.#definitions.set(direction, definitions);
    const known = definitions.get(reference);
    if (known !== undefined) return known;
    const part = this.cleanPart(atPointer(this.#document, reference) ?? {}, note, direction);
    let loose: Json | undefined;
    const definition = {
      ...part,
      name: this.#nameOf(reference) ?? "",
      measure: measureSchema(part.schema),
      loose: () => (loose ??= loosen(part.schema)),
    };
    definitions.set(reference, definition);
    return definition;
  }
}

function withDefinitions(
  schema: JsonObject,
  placed: readonly Placed[],
  schemaOf: (definition: Definition) => Json,
): JsonObject {
  if (placed.length === 0) return schema;
  const definitions = placed.map(([name, one]): [string, Json] => [
    name,
    one === null ? { ...LEFT_OUT } : schemaOf(one),
  ]);
  return { ...schema, $defs: Object.fromEntries(definitions) };
}

/** Whether the measures prove that the validator accepts the bundle. `false`: unknown, `boundSchema` counts exactly. */
function fitsByMeasure(schema: JsonObject, definitions: readonly Placed[]): boolean {
  let { bytes, schemas, depth } = measureSchema(schema);
  for (const [name, definition] of definitions) {
    const measure = definition?.measure ?? LEFT_OUT_MEASURE;
    // 4: the quotes, the colon and the comma.
    bytes += measure.bytes + name.length + 4;
    schemas += measure.schemas;
    depth = Math.max(depth, measure.depth + 1);
  }
  return bytes + DEFS_MEMBER_BYTES <= MAX_SCHEMA_BYTES && schemas <= MAX_SUBSCHEMAS && depth <= MAX_DEPTH;
}

/** At least the bytes of the member `$defs` without its definitions. */
const DEFS_MEMBER_BYTES = 16;

/** `Pet` for `#/components/schemas/Pet`. The names of other references contain a hash, because many end in the same word. */
function definitionName(reference: string): string {
  const steps = pointerSteps(reference);
  const last = steps.at(-1) ?? "";
  const name = last.replaceAll(/[^A-Za-z0-9_.-]+/g, "_").slice(0, 80);
  const isPlain = steps.length === 3 && reference.startsWith("#/components/schemas/") && name === last;
  return isPlain ? name : `${name}_${createHash("sha256").update(reference).digest("hex").slice(0, 16)}`;
}
