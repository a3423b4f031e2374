import { createHash } from "node:crypto";
import type { Json, JsonObject } from "@/lib/access/model/configuration";
import { loosen } from "@/lib/manifest/subschemas";
import { cleanSchema, type Direction } from "@/lib/sources/openapi/clean-schema";
import { boundSchema, fitSchema, LEFT_OUT, SCHEMA_BUDGET, sizeOf } from "@/lib/sources/openapi/fit-schema";
import { atPointer, pointersOfAnchors, pointerSteps } from "@/lib/sources/openapi/reference";

/** A schema, and the pointers that it refers to, in order. */
interface Part {
  readonly schema: JsonObject | boolean;
  readonly refers: readonly string[];
}

/** A cleaned part of the document, for use as a definition. */
interface Definition extends Part {
  readonly name: string;
  /** As UTF-8 JSON. */
  readonly bytes: number;
}

/**
 * Makes schemas of a document self-contained. Bundles their references under `$defs` and never inlines them, because many
 * documents are circular. Cleans each part of the document once per direction.
 */
export class SchemaBundler {
  readonly #document: JsonObject;
  readonly #definitions = new Map<string, Definition>();
  #anchors: ReadonlyMap<string, string> | null = null;

  constructor(document: JsonObject) {
    this.#document = document;
  }

  /** Cleans one schema. Its `$ref`s lead to `#/$defs/…`, which `whole` adds. @param direction of OpenAPI documents */
  part(schema: Json, note: (message: string) => void, direction?: Direction): Part {
    const refers = new Set<string>();
    const clean = cleanSchema(schema, {
      note,
      ...(direction !== undefined && { direction }),
      resolve: (reference) => atPointer(this.#document, reference),
      refer: (stated) => {
        const reference = this.#asPointer(stated);
        if (reference !== "#" && atPointer(this.#document, reference) !== undefined) {
          refers.add(reference);
          return `#/$defs/${definitionName(reference)}`;
        }
        note(`the reference ${reference.slice(0, 200)} leads nowhere inside the document: left out`);
        return null;
      },
    });
    return { schema: clean, refers: [...refers] };
  }

  /**
   * The definitions that a schema needs, nearest first, within `budget` bytes of JSON. The others accept any value, and
   * then `pruned` is true.
   */
  #bundle(
    refers: readonly string[],
    budget: number,
    note: (message: string) => void,
    direction?: Direction,
  ): { readonly definitions: Record<string, JsonObject | boolean>; readonly pruned: boolean } {
    const definitions: Record<string, JsonObject | boolean> = {};
    const queue = [...new Set(refers)];
    const seen = new Set(queue);
    let left = budget;
    let pruned = false;
    for (let at = 0; at < queue.length; at += 1) {
      const reference = queue[at] ?? "";
      const { name, schema, bytes, refers: further } = this.#definitionAt(reference, note, direction);
      const fits = bytes <= left;
      definitions[name] = fits ? schema : LEFT_OUT;
      pruned ||= !fits;
      left -= fits ? bytes : 0;
      for (const next of fits ? further : [])
        if (!seen.has(next)) {
          seen.add(next);
          queue.push(next);
        }
    }
    return { definitions, pruned };
  }

  /**
   * Adds the definitions to a cleaned schema, within the budget and the validator's limits. A cut schema accepts every
   * value that the whole one accepts.
   */
  whole(
    { schema, refers }: { readonly schema: JsonObject; readonly refers: readonly string[] },
    note: (message: string) => void,
    direction?: Direction,
  ): { readonly schema: JsonObject; readonly pruned: boolean } {
    const fitted = fitSchema(schema, SCHEMA_BUDGET);
    const bundled =
      refers.length === 0 ? null : this.#bundle(refers, SCHEMA_BUDGET - sizeOf(fitted.schema), note, direction);
    const all = bundled === null ? fitted.schema : { ...fitted.schema, $defs: bundled.definitions };
    const bounded = boundSchema(all);
    const pruned = fitted.pruned || bundled?.pruned === true || bounded !== all;
    return { schema: pruned ? (loosen(bounded) as JsonObject) : bounded, pruned };
  }

  /** Turns a reference to an anchor into a pointer. */
  #asPointer(reference: string): string {
    if (!/^#[^/]/.test(reference)) return reference;
    this.#anchors ??= pointersOfAnchors(this.#document);
    return this.#anchors.get(reference) ?? reference;
  }

  #definitionAt(reference: string, note: (message: string) => void, direction: Direction | undefined): Definition {
    const key = `${direction ?? ""} ${reference}`;
    const known = this.#definitions.get(key);
    if (known !== undefined) return known;
    const part = this.part(atPointer(this.#document, reference) ?? {}, note, direction);
    const bytes = Buffer.byteLength(JSON.stringify(part.schema));
    const definition = { ...part, name: definitionName(reference), bytes };
    this.#definitions.set(key, definition);
    return definition;
  }
}

/** `Pet` for `#/components/schemas/Pet`. Names of other places get a hash, so that they never collide. */
function definitionName(reference: string): string {
  const steps = pointerSteps(reference);
  const last = steps.at(-1) ?? "";
  const name = last.replaceAll(/[^A-Za-z0-9_.-]+/g, "_").slice(0, 80);
  const isPlain = steps.length === 3 && reference.startsWith("#/components/schemas/") && name === last;
  return isPlain ? name : `${name}_${createHash("sha256").update(reference).digest("hex").slice(0, 6)}`;
}
