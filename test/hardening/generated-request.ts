import * as fc from "fast-check";
import type { OpenApiDocument, Parameter, PublishedOperation } from "@/lib/contracts/openapi/open-api";
import type { Operation } from "@/lib/contracts/operations/operation";
import { resources } from "@/lib/resources/index";
import { isResourceName } from "@/lib/resources/kinds";
import { samples } from "@/test/api/samples";
import { mutated, type Generated } from "@/test/hardening/mutations";
import { SchemaValues, type Known } from "@/test/hardening/schema-values";

/** Parameters that make a request wait: a minute of waiting finds nothing that a moment does not. */
const SHORT: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
  wait: fc.constant("0"),
  min_revision: fc.constantFrom("0", "1"),
};
/** An `If-Match` that stands for the version which the row has when the request is sent. */
export const CURRENT = '"current"';
const VERSIONS = fc.constantFrom(CURRENT, CURRENT, CURRENT, '"1"', "*");
const KEYS = fc.option(fc.uuid(), { nil: undefined });

/** Requests to one operation: one in three as its description allows, the others made wrong. */
export function requestsTo(operation: Operation, document: OpenApiDocument, known: Known): fc.Arbitrary<Generated> {
  const published = document.paths[operation.path]?.[operation.method];
  if (published === undefined) throw new Error(`${operation.id} is not published.`);
  const allowed = allowedRequests(published, new SchemaValues(document, known), sectionOf(operation.path));
  return fc.oneof({ weight: 1, arbitrary: allowed }, { weight: 2, arbitrary: allowed.chain(mutated) });
}

/** What a path is about: `/api/admin/tools/{id}` one of `tools`. */
function sectionOf(path: string): string {
  return /([\w-]+)(?:\/\{|$)/.exec(path)?.[1] ?? "";
}

function allowedRequests(
  published: PublishedOperation,
  values: SchemaValues,
  section: string,
): fc.Arbitrary<Generated> {
  const parameters = published.parameters ?? [];
  const of = (place: Parameter["in"]) => parameters.filter((parameter) => parameter.in === place);
  const stated = (place: Parameter["in"]) =>
    fc.tuple(...of(place).map((parameter) => valueOf(parameter, values, section)));
  const schema = published.requestBody?.content["application/json"]?.schema;
  return fc
    .record({
      params: stated("path"),
      query: stated("query"),
      headers: stated("header"),
      body: schema === undefined ? fc.constant(undefined) : fc.oneof(values.of(schema, ""), ...examplesOf(section)),
    })
    .map(({ params, query, headers, body }) => ({
      params: { ...Object.fromEntries(params.flat()), ...ownId(section, body, params.length > 0) },
      query: query.flat(),
      headers: Object.fromEntries(headers.flat()),
      body,
      mutation: null,
    }));
}

/** Rows that are known to be right: what a schema does not say (names that exist, fields that go together) they obey. */
function examplesOf(section: string): fc.Arbitrary<unknown>[] {
  if (!isResourceName(section)) return [];
  const { first, second, change } = samples[section];
  return [fc.constantFrom(first, second, { ...first, ...change })];
}

/** The address of an example of a row is its own. */
function ownId(section: string, body: unknown, isAddressed: boolean): Record<string, string> {
  if (!isAddressed || !isResourceName(section)) return {};
  const { first, second } = samples[section];
  const { id } = resources[section];
  const example = [first, second].find((row) => (body as Partial<typeof row> | undefined)?.[id] === row[id]);
  return example === undefined ? {} : { id: String(example[id]) };
}

type Pair = readonly [name: string, value: string];

function valueOf(
  { name, required, schema, in: place }: Parameter,
  values: SchemaValues,
  section: string,
): fc.Arbitrary<readonly Pair[]> {
  const value =
    place === "header" ? headerOf(name) : (SHORT[name] ?? values.of(schema, place === "path" ? section : name));
  const pairs = value.map((given) => pairsOf(name, given));
  return required || name === "If-Match"
    ? pairs
    : fc.oneof({ weight: 2, arbitrary: fc.constant([]) }, { weight: 1, arbitrary: pairs });
}

function headerOf(name: string): fc.Arbitrary<unknown> {
  return name === "Idempotency-Key" ? KEYS : VERSIONS;
}

/** A list as a repeated name, an object as its own names (OpenAPI 3.1, style `form`, explode). */
function pairsOf(name: string, value: unknown): Pair[] {
  if (value === undefined || value === null) return [];
  if (Array.isArray(value)) return value.map((item) => [name, String(item)]);
  if (typeof value === "object") return Object.entries(value).map(([key, item]) => [key, String(item)]);
  return [[name, String(value as string | number | boolean)]];
}
