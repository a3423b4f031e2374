import { AppError } from "@/lib/errors";
import { authorize, type Signed } from "@/lib/outbound/authorization";
import { outbound, type Outbound } from "@/lib/outbound/fetch";

/** How to reach an object store, such as a bucket. */
interface ObjectStore {
  /** The name of the setting, for error messages. */
  readonly setting: string;
  /** The credential: see `authorize`. */
  readonly authorization: string | undefined;
  readonly send?: Outbound | undefined;
}

/**
 * Writes an object with PUT.
 * @throws AppError `upstream_error` when the store refuses; and as `outbound` does
 */
export async function putObject(
  store: ObjectStore,
  url: string,
  type: string,
  body: string | Uint8Array,
): Promise<void> {
  const { status } = await sendSigned(store, { url, method: "PUT", headers: { "content-type": type }, body });
  if (status < 200 || status > 299) throw toRefusal(store, "PUT", status);
}

/**
 * Reads an object with GET; `null` when there is none.
 * @param maxBytes the most bytes to read; absent = the limit of any answer
 * @throws AppError `upstream_error` when the store refuses; and as `outbound` does
 */
export async function getObject(store: ObjectStore, url: string, maxBytes?: number): Promise<Uint8Array | null> {
  const { status, body } = await sendSigned(store, { url, method: "GET" }, maxBytes);
  if (status === 404) return null;
  if (status !== 200) throw toRefusal(store, "GET", status);
  return body;
}

function sendSigned({ authorization, send = outbound }: ObjectStore, request: Signed, maxBytes?: number) {
  const credentials = authorize(authorization, request, new Date());
  return send({ ...request, credentials, ...(maxBytes !== undefined && { maxBytes }) });
}

function toRefusal({ setting }: ObjectStore, method: string, status: number): AppError {
  return new AppError("upstream_error", `${setting} answered ${method} with ${status}.`);
}
