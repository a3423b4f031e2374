import type { Handler } from "@/lib/http/route";
import { signIn } from "@/test/support/person";
import type { Role } from "@/lib/resources/permissions";

/** A test's request, without its address. */
export interface Sent {
  readonly body?: unknown;
  /** Instead of `body`: the raw text. */
  readonly text?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly params?: Readonly<Record<string, string>>;
  readonly role?: Role;
}

/** An answer of the admin API: a row, a page, or a problem. */
export interface Answer {
  readonly [field: string]: unknown;
  readonly items: readonly Record<string, unknown>[];
  readonly total: number;
  readonly code: string;
  readonly detail: string;
  readonly errors: readonly { readonly path: string; readonly message: string }[];
}

/** An answer, read. */
export interface Got<T = Answer> {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly json: T;
}

/** Calls an admin route's handler with a `Request`, as a signed-in person (by default an admin). */
export async function ask<T = Answer>(
  handler: Handler,
  method: string,
  path: string,
  sent: Sent = {},
): Promise<Got<T>> {
  const headers = new Headers({ ...(await signIn(sent.role ?? "admin")), ...sent.headers });
  const body = sent.text ?? (sent.body === undefined ? undefined : JSON.stringify(sent.body));
  if (body !== undefined && !headers.has("content-type")) headers.set("content-type", "application/json");
  const request = new Request(`http://127.0.0.1:3000${path}`, { method, headers, ...(body !== undefined && { body }) });
  const response = await handler(request, { params: Promise.resolve({ ...sent.params }) });
  const text = await response.text();
  const json = (/\bjson\b/.test(response.headers.get("content-type") ?? "") ? JSON.parse(text) : undefined) as T;
  return { status: response.status, headers: response.headers, text, json };
}
