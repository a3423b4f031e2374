import { existsSync } from "node:fs";
import { join } from "node:path";
import Ajv2020 from "ajv/dist/2020";
import type { OpenApiDocument } from "@/lib/contracts/openapi/open-api";
import type { Operation } from "@/lib/contracts/operations/operation";
import { OPERATIONS } from "@/lib/contracts/operations/operations";
import type { Handler } from "@/lib/http/route";
import { isResourceName } from "@/lib/resources/kinds";
import type { Answer, Got, Sent } from "@/test/support/admin";
import { ORIGIN } from "@/test/support/person";

/** A test's request to an operation. */
export interface Asked extends Omit<Sent, "role"> {
  /** With its `?`. */
  readonly query?: string;
  /** A stream that does not end by itself is left once it has sent this text. */
  readonly until?: string;
}

const app = join(import.meta.dirname, "../../app");

/** The route of an operation, and the path parameters that its folder is named by. */
export async function handlerOf({ method, path }: Operation): Promise<[Handler, Record<string, string>]> {
  const own = path.replaceAll(/\{(\w+)\}/g, "[$1]");
  const resource = path.split("/").find(isResourceName) ?? "";
  const [folder, given] = existsSync(join(app, own, "route.ts"))
    ? [own, {}]
    : [own.replace(`/${resource}`, "/[resource]"), { resource }];
  const route = (await import(join(app, folder, "route.ts"))) as Record<string, Handler | undefined>;
  const handler = route[method.toUpperCase()];
  if (handler === undefined) throw new Error(`${folder}/route.ts does not answer ${method.toUpperCase()}.`);
  // One route for all resources: each has its own inside.
  return "each" in handler ? [(handler.each as Map<string, Handler>).get(resource)!, given] : [handler, given];
}

/** The API as its description says it is: every answer that comes back is held against the document. */
export class DescribedApi {
  /** Operations that were answered otherwise than by a refusal. */
  readonly exercised = new Set<string>();
  readonly #document: OpenApiDocument;
  // Formats are not checked: those with rules also have a pattern. Ajv compiles a component once when it stays a reference.
  readonly #ajv = new Ajv2020({ strict: false, validateFormats: false, inlineRefs: false, code: { optimize: false } });

  constructor(document: OpenApiDocument) {
    this.#document = document;
    this.#ajv.addSchema(document, "api");
  }

  /** Calls an operation by its route, with these headers of the caller, and checks the answer. */
  async ask<T = Answer>(id: string, caller: Readonly<Record<string, string>>, asked: Asked = {}): Promise<Got<T>> {
    const operation = OPERATIONS.find((candidate) => candidate.id === id);
    if (operation === undefined) throw new Error(`There is no operation ${id}.`);
    const [handler, given] = await handlerOf(operation);
    const headers = new Headers({ ...caller, ...asked.headers });
    const body = asked.text ?? (asked.body === undefined ? undefined : JSON.stringify(asked.body));
    if (body !== undefined && !headers.has("content-type")) headers.set("content-type", "application/json");
    const path = operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
      encodeURIComponent(asked.params?.[name] ?? ""),
    );
    const response = await handler(
      new Request(`${ORIGIN}${path}${asked.query ?? ""}`, {
        method: operation.method.toUpperCase(),
        headers,
        ...(body === undefined ? {} : { body }),
      }),
      { params: Promise.resolve({ ...given, ...asked.params }) },
    );
    const text = asked.until === undefined ? await response.text() : await textUntil(response, asked.until);
    const type = response.headers.get("content-type")?.split(";")[0] ?? "";
    const json = (type.endsWith("json") ? JSON.parse(text) : undefined) as T;
    this.#check(operation, { status: response.status, headers: response.headers, type, text, json });
    if (response.ok || response.status === 303) this.exercised.add(id);
    return { status: response.status, headers: response.headers, text, json };
  }

  #check({ id, method, path }: Operation, got: Got<unknown> & { type: string }): void {
    const fail = (what: string) => {
      throw new Error(`${id} answered ${got.status}: ${what}. ${got.text.slice(0, 400)}`);
    };
    const answer = this.#document.paths[path]?.[method]?.responses[String(got.status)];
    if (answer === undefined) return fail("the status is not described");
    for (const name of Object.keys(answer.headers ?? {})) if (!got.headers.has(name)) fail(`no ${name}`);
    // JSON Lines of no rows are no bytes.
    if (got.text === "" && got.type !== "application/jsonl")
      return answer.content === undefined ? undefined : fail("no body");
    if (answer.content?.[got.type] === undefined) return fail(`${got.type} is not described`);
    if (!got.type.endsWith("json")) return;
    const at = ["paths", path, method, "responses", String(got.status), "content", got.type, "schema"];
    const pointer = at.map((part) => encodeURIComponent(part.replaceAll("~", "~0").replaceAll("/", "~1"))).join("/");
    const validate = this.#ajv.getSchema(`api#/${pointer}`);
    if (validate?.(got.json) !== true) fail(this.#ajv.errorsText(validate?.errors));
  }
}

async function textUntil(response: Response, marker: string): Promise<string> {
  let text = "";
  for await (const part of response.body!.pipeThrough(new TextDecoderStream())) {
    text += part;
    if (text.includes(marker)) break;
  }
  return text;
}
