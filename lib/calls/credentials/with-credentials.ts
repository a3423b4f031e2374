import type { OutboundRequest } from "@/lib/outbound/fetch";
import type { Credentials } from "@/lib/calls/credentials/credentials";
import { withPair } from "@/lib/calls/credentials/with-pair";

/** Sets the query credential in the URL. Headers go to `credentials`, which may contain otherwise forbidden headers. */
export function withCredentials(request: OutboundRequest, { headers, query }: Credentials): OutboundRequest {
  const url = query === null ? request.url : withPair(request.url, query);
  return { ...request, url, credentials: headers };
}
