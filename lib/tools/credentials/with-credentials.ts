import type { OutboundRequest } from "@/lib/outbound/fetch";
import type { Credentials } from "@/lib/tools/credentials/credentials";
import { withPair } from "@/lib/tools/credentials/with-pair";

/** A request with the credentials that it is sent with. */
export function withCredentials(request: OutboundRequest, { headers, query }: Credentials): OutboundRequest {
  const url = query === null ? request.url : withPair(request.url, query);
  return { ...request, url, credentials: headers };
}
