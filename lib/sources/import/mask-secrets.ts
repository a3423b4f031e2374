import type { Json, JsonObject } from "@/lib/access/model/configuration";
import { isObject } from "@/lib/access/model/json";
import { listFirst } from "@/lib/access/model/lists";
import { redact } from "@/lib/audit/record/redact";
import { SCHEMA_KEYWORDS, SCHEMA_MAPS } from "@/lib/manifest/schema/subschemas";
import type { ToolInput } from "@/lib/resources/tool";
import { maskSecretShapes } from "@/lib/telemetry/secret-shapes";

/** Most places that a note lists. */
const MAX_NAMED = 4;

/** Keywords with words for readers, or for programs that read no further when they do not know them. */
const TEXTS: ReadonlySet<string> = new Set([
  "title",
  "description",
  "$comment",
  "format",
  "contentMediaType",
  "contentEncoding",
]);
/** Keywords with values that show readers what to send. */
const EXAMPLES: ReadonlySet<string> = new Set(["example", "examples"]);
/** Keywords with values and names that calls are checked against. */
const CHECKED: ReadonlySet<string> = new Set(["const", "enum", "pattern", "required"]);

/** Where a definition holds secrets. */
interface Places {
  readonly masked: readonly string[];
  /** Not changed, because a call needs the value. */
  readonly kept: readonly string[];
}

/** An object whose texts are masked, and the masked members. */
interface Masked<Whole> {
  readonly whole: Whole;
  readonly masked: readonly string[];
}

interface MaskedValue extends Places {
  readonly value: Json;
}

/**
 * Masks secrets in the texts of a source's tools before they are stored: the author of a document may have pasted one into
 * a description or an example. Uses the masks of the log. Changes no value that a call is made of or checked against.
 * Operations of one document share definitions, so each is read once.
 */
export class SecretMask {
  readonly #known = new WeakMap<object, MaskedValue>();

  /** A source's own object with these members masked, and which of them were. Done first, because long texts are cut. */
  members<Whole extends object>(whole: Whole, members: readonly (string & keyof Whole)[]): Masked<Whole> {
    const changed = members.flatMap((member) => {
      const before = whole[member] as Json | undefined;
      const after = before === undefined ? undefined : redact(before);
      return after === before ? [] : [[member, after] as const];
    });
    if (changed.length === 0) return { whole, masked: [] };
    return { whole: { ...whole, ...Object.fromEntries(changed) }, masked: changed.map(([member]) => member) };
  }

  /**
   * The tool with masked schemas, and sentences for the admin that say what is masked and what is not.
   * @param masked what is masked already
   */
  tool(tool: ToolInput, masked: readonly string[]): { readonly tool: ToolInput; readonly notes: readonly string[] } {
    const input = this.#schema(tool.inputSchema as JsonObject);
    const output = this.#schema(tool.outputSchema as Json);
    const places = [...masked, ...under("inputSchema", input.masked), ...under("outputSchema", output.masked)];
    const kept = [
      ...(calledTexts(tool).some(looksSecret) ? ["run"] : []),
      ...(tool.upstreamScopes.some(looksSecret) ? ["upstreamScopes"] : []),
      ...under("inputSchema", input.kept),
      ...under("outputSchema", output.kept),
    ];
    const schemas = { inputSchema: input.value, outputSchema: output.value };
    return {
      tool: { ...tool, ...(schemas as Pick<ToolInput, keyof typeof schemas>) },
      notes: [
        ...(places.length === 0 ? [] : [`what looks like a secret is masked in ${listed(places)}`]),
        ...(kept.length === 0
          ? []
          : [`what looks like a secret stays in ${listed(kept)}, because calls need it: change it at the source`]),
      ],
    };
  }

  /** A schema with the same meaning. A masked `default` would be sent, so one with a secret is left out. */
  #schema(schema: Json): MaskedValue {
    if (!isObject(schema)) return { value: schema, masked: [], kept: [] };
    const known = this.#known.get(schema);
    if (known !== undefined) return known;
    const masked: string[] = [];
    const kept: string[] = [];
    const members = Object.entries(schema).flatMap(([keyword, value]): [string, Json][] => {
      const found = this.#member(keyword, value);
      masked.push(...under(keyword, found.masked));
      kept.push(...under(keyword, found.kept));
      return keyword === "default" && found.masked.length > 0 ? [] : [[keyword, found.value]];
    });
    const result = { value: masked.length === 0 ? schema : Object.fromEntries(members), masked, kept };
    this.#known.set(schema, result);
    return result;
  }

  #member(keyword: string, value: Json): MaskedValue {
    if (TEXTS.has(keyword) && typeof value === "string") return replaced(value, maskSecretShapes(value));
    if (EXAMPLES.has(keyword) || keyword === "default") return replaced(value, redact(value));
    if (CHECKED.has(keyword)) return { value, masked: [], kept: redact(value) === value ? [] : [""] };
    if (SCHEMA_MAPS.has(keyword) && isObject(value)) return this.#all(Object.entries(value), Object.fromEntries);
    if (!SCHEMA_KEYWORDS.has(keyword)) return { value, masked: [], kept: [] };
    if (!Array.isArray(value)) return this.#schema(value);
    const items = (value as readonly Json[]).map((item, at): [string, Json] => [String(at), item]);
    return this.#all(items, (entries) => entries.map(([, item]) => item));
  }

  #all(entries: readonly [string, Json][], make: (entries: readonly [string, Json][]) => Json): MaskedValue {
    const found = entries.map(([name, inner]) => ({ name, ...this.#schema(inner) }));
    return {
      value: make(found.map(({ name, value }): [string, Json] => [name, value])),
      masked: found.flatMap(({ name, masked }) => under(name, masked)),
      // A call states the name of a property, so it stays.
      kept: found.flatMap(({ name, kept }) => under(name, looksSecret(name) ? ["", ...kept] : kept)),
    };
  }
}

function replaced(before: Json, value: Json): MaskedValue {
  return { value, masked: value === before ? [] : [""], kept: [] };
}

function under(name: string, places: readonly string[]): string[] {
  return places.map((place) => (place === "" ? name : `${name}.${place}`));
}

function listed(places: readonly string[]): string {
  return listFirst(places, MAX_NAMED, (place) => `\`${maskSecretShapes(place)}\``);
}

/** The texts of a call that the source states: an address without its parameters, headers, names of parameters and tools. */
function calledTexts({ run }: ToolInput): string[] {
  if (run?.kind === "mcp") return [run.tool];
  if (run?.kind !== "http") return [];
  const names = [...run.parameters, ...(run.body?.properties ?? [])].map(({ name }) => name);
  return [run.url.replaceAll(/\{[^{}]*\}/g, ""), ...Object.values(run.headers), ...names];
}

/** Whether a text holds the shape of a secret. */
function looksSecret(text: string): boolean {
  return maskSecretShapes(text) !== text;
}
