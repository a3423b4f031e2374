import NextAuth, { type NextAuthOptions } from "next-auth";
import { decodePercent } from "@/lib/resources/parts/decode-percent";

/** The parts of a request that next-auth's handler reads. */
interface NextAuthRequest {
  readonly method: string;
  readonly headers: Headers;
  readonly query: Readonly<Record<string, string | readonly string[]>>;
  readonly cookies: Readonly<Record<string, string>>;
  readonly body: Readonly<Record<string, string>>;
}

/** Adds one `Set-Cookie` to the answer. */
export type AddCookie = (cookie: string) => void;

/** next-auth's overload for Next's Pages Router. It uses only these parts of request and answer. */
const handle = NextAuth as unknown as (request: object, answer: Answer, options: NextAuthOptions) => Promise<void>;

/** Runs next-auth without Next and returns a web-standard response. */
export async function runNextAuth(
  { headers, ...request }: NextAuthRequest,
  options: (addCookie: AddCookie) => NextAuthOptions,
): Promise<Response> {
  const answer = new Answer();
  const given = { ...request, headers: Object.fromEntries(headers) };
  await handle(
    given,
    answer,
    options((cookie) => answer.addCookie(cookie)),
  );
  return answer.response();
}

/** The text fields of a form or a JSON body, the only ones that next-auth reads; none if the JSON is not valid. */
export function fieldsOf(contentType: string, body: string): Record<string, string> {
  if (body === "") return {};
  if (!contentType.includes("application/json")) return Object.fromEntries(new URLSearchParams(body));
  try {
    const value: unknown = JSON.parse(body);
    const fields = typeof value === "object" && value !== null ? Object.entries(value) : [];
    return Object.fromEntries(fields.filter((field): field is [string, string] => typeof field[1] === "string"));
  } catch {
    return {};
  }
}

/** The cookies of a `Cookie` header by name, decoded. */
export function cookiesOf(header: string): Record<string, string> {
  const pairs = header.split(";").flatMap((part) => {
    const equals = part.indexOf("=");
    return equals < 0 ? [] : [[part.slice(0, equals).trim(), decodePercent(part.slice(equals + 1).trim())] as const];
  });
  return Object.fromEntries(pairs);
}

/** Collects next-auth's answer in the shape that its handler writes to. */
class Answer {
  readonly #headers = new Headers();
  #cookies: string[] = [];
  #status = 200;
  #body: string | null = null;

  status(code: number): this {
    this.#status = code;
    return this;
  }
  getHeader(name: string): string[] | string | null {
    return name.toLowerCase() === "set-cookie" ? this.#cookies : this.#headers.get(name);
  }
  setHeader(name: string, value: string | string[]): this {
    if (name.toLowerCase() === "set-cookie") this.#cookies = [value].flat();
    else this.#headers.set(name, [value].flat().join(", "));
    return this;
  }
  addCookie(cookie: string): void {
    this.#cookies.push(cookie);
  }
  json(value: unknown): void {
    this.#headers.set("content-type", "application/json");
    this.#body = JSON.stringify(value);
  }
  send(value: unknown): void {
    if (typeof value === "string") this.#body = value;
    else if (value !== undefined) this.json(value);
  }
  end(): void {}

  response(): Response {
    const headers = new Headers(this.#headers);
    for (const cookie of this.#cookies) headers.append("set-cookie", cookie);
    return new Response(this.#body, { status: this.#status, headers });
  }
}
