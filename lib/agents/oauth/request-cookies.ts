import type { OuterContext } from "oidc-provider";
import { Provider } from "oidc-provider/lib/provider.js";
import { requestCookieName } from "@/lib/store/oauth/connection-requests";

/** The most requests to connect of one browser that wait for an answer. A further one replaces the oldest. */
const MAX_WAITING = 10;

/** Attributes of the cookies. Only a cookie for the path `/` may have the prefix `__Host-`. */
export const REQUEST_COOKIE = { httpOnly: true, sameSite: "lax", overwrite: true, path: "/" } as const;

/** oidc-provider with a cookie for each request to connect. It has one for all, so a second request would end the first. */
export class ProviderWithRequestCookies extends Provider {
  override cookieName(type: string): string {
    const request = type === "interaction" ? Provider.ctx.oidc.entities.Interaction : undefined;
    return request === undefined ? super.cookieName(type) : requestCookieName(request.uid);
  }
}

/** Expires the cookie of a request that ends here, and the oldest cookies when a browser has too many. */
export async function expireRequestCookies(ctx: OuterContext, next: () => Promise<void>): Promise<void> {
  await next();
  const route = ctx.oidc?.route;
  if (route !== "authorization" && route !== "resume") return;
  const ended = requestCookieName(ctx.path.slice(ctx.path.lastIndexOf("/") + 1));
  const waiting = requestCookiesIn(ctx.headers["cookie"] ?? "");
  const surplus = waiting.length - (MAX_WAITING - 1);
  for (const [at, name] of waiting.entries())
    if (name === ended || at < surplus) ctx.cookies.set(name, null, REQUEST_COOKIE);
}

/** The names of the request cookies in a `Cookie` header, the oldest first, as browsers send them (RFC 6265, 5.4). */
function requestCookiesIn(header: string): readonly string[] {
  const names = header.split(";").map((pair) => pair.split("=", 1)[0]?.trim() ?? "");
  return names.filter((name) => name.startsWith(requestCookieName("")));
}
