import { createHash, createHmac } from "node:crypto";

/** What an `Authorization` of S3 looks like in a setting: region, id and secret of an access key. */
const S3 = /^S3 (\S+) (\S+) (\S+)$/;

/** What of a request its signature is made over. */
export interface Signed {
  readonly url: string;
  readonly method: "GET" | "PUT";
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
}

/**
 * The headers that let a request in: `authorization` as it is set, none without; of `S3 region id secret` those of S3 and
 * whatever speaks its protocol, signed for this request at this time.
 *
 * @throws Error for a key of S3 that lacks a part: its secret must not be sent as a header
 */
export function authorize(authorization: string | undefined, request: Signed, now: Date): Record<string, string> {
  if (authorization === undefined) return {};
  if (!authorization.startsWith("S3 ")) return { authorization };
  const [, region, id, secret] = S3.exec(authorization) ?? [];
  if (region === undefined || id === undefined || secret === undefined)
    throw new Error("An authorization of S3 is `S3 region key-id secret`, with one space between.");
  return signed(request, { region, id, secret }, now);
}

interface AccessKey {
  readonly region: string;
  readonly id: string;
  readonly secret: string;
}

/** AWS Signature Version 4, "Authenticating Requests: Using the Authorization Header", the payload in a single chunk. */
function signed(request: Signed, { region, id, secret }: AccessKey, now: Date): Record<string, string> {
  const { method, headers = {}, body = "" } = request;
  const url = new URL(request.url);
  const time = now.toISOString().replaceAll(/[-:]|\.\d+/g, "");
  const own = { "x-amz-content-sha256": sha256(body), "x-amz-date": time };
  const all = Object.entries({ ...headers, ...own, host: url.host })
    .map(([name, value]) => [name.toLowerCase(), value.trim()] as const)
    .toSorted(byName);
  const names = all.map(([name]) => name).join(";");
  const lines = all.map(([name, value]) => `${name}:${value}\n`).join("");
  const path = url.pathname.split("/").map(encodedOnce).join("/");
  const canonical = [method, path, queryOf(url), lines, names, own["x-amz-content-sha256"]].join("\n");
  const scope = `${time.slice(0, 8)}/${region}/s3/aws4_request`;
  const key = scope.split("/").reduce<string | Buffer>(hmac, `AWS4${secret}`);
  const signature = hmac(key, ["AWS4-HMAC-SHA256", time, scope, sha256(canonical)].join("\n")).toString("hex");
  const authorization = `AWS4-HMAC-SHA256 Credential=${id}/${scope}, SignedHeaders=${names}, Signature=${signature}`;
  return { ...own, authorization };
}

function queryOf({ searchParams }: URL): string {
  return [...searchParams]
    .map(([name, value]) => [encoded(name), encoded(value)] as const)
    .toSorted(byName)
    .map((pair) => pair.join("="))
    .join("&");
}

/** By the bytes of names that are ASCII. */
function byName([one]: readonly [string, string], [other]: readonly [string, string]): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}

function encodedOnce(segment: string): string {
  return encoded(decodeURIComponent(segment));
}

/** RFC 3986: everything but the unreserved characters. */
function encoded(text: string): string {
  return encodeURIComponent(text).replaceAll(/[!'()*]/g, (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`);
}

function sha256(data: string | Uint8Array): string {
  return createHash("sha256").update(data).digest("hex");
}

function hmac(key: string | Buffer, text: string): Buffer {
  return createHmac("sha256", key).update(text).digest();
}
