import { createHash } from "node:crypto";
import aws4 from "aws4";

/** The form of an S3 access key in a setting: region, id and secret. */
const S3 = /^S3 (\S+) (\S+) (\S+)$/;

/** The parts of a request that its signature covers. */
export interface Signed {
  readonly url: string;
  readonly method: "GET" | "PUT";
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
}

/**
 * The headers that authenticate a request: `authorization` as set, or none. For `S3 region id secret` the headers of
 * S3's protocol, signed for this request at this time.
 * @throws Error for an incomplete S3 key: its secret must not be sent as a header
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

/** AWS Signature Version 4 over the whole request, its body and its time. */
function signed(request: Signed, { region, id, secret }: AccessKey, now: Date): Record<string, string> {
  const { method, headers = {}, body = "" } = request;
  const { host, pathname, search } = new URL(request.url);
  const own = {
    "x-amz-content-sha256": createHash("sha256").update(body).digest("hex"),
    "x-amz-date": now.toISOString().replaceAll(/[-:]|\.\d+/g, ""),
  };
  const toSign = { service: "s3", region, method, host, path: pathname + search, headers: { ...headers, ...own } };
  const { Authorization } = aws4.sign(toSign, { accessKeyId: id, secretAccessKey: secret }).headers ?? {};
  return { ...own, authorization: String(Authorization) };
}
