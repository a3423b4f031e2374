import type { Provider } from "oidc-provider";
import context from "oidc-provider/lib/helpers/als.js";
import { fetchNodeHandler } from "srvx/node";
import { throwFailure } from "@/lib/agents/oauth/refusal";
import { singleton } from "@/lib/process/singleton";

/** The requests that oidc-provider is answering. */
const requests = singleton("OAuthRequests", () => ({ count: 0 }));

/**
 * Answers requests by oidc-provider, or throws what failed in it. After its first request, oidc-provider would make Node 20
 * and 22 track every promise of the process, which makes every agent's list a sixth slower. So its context is disabled while
 * it answers none.
 */
export function runnerOf(provider: Provider): (request: Request) => Promise<Response> {
  const handler = provider.callback();
  return async (request) => {
    requests().count += 1;
    let received: object = {};
    try {
      const response = await fetchNodeHandler((...args: Parameters<typeof handler>) => {
        [received] = args;
        return handler(...args);
      }, request);
      throwFailure(received);
      return response;
    } finally {
      requests().count -= 1;
      if (requests().count === 0) context.disable();
    }
  };
}
