import type { OuterContext } from "oidc-provider";
import { LOOPBACK_HOSTS } from "@/lib/access/model/addresses";
import { documentFault } from "@/lib/agents/oauth/client-fetch";
import { errorPage } from "@/lib/agents/oauth/error-page";

/** The codes of the standards where oidc-provider says `invalid_request`, by its description. */
const CODES: Readonly<Record<string, string>> = {
  // RFC 6749, 5.2 and 4.1.2.1.
  "requested grant type is not allowed for this client": "unauthorized_client",
  "requested response_type is not allowed for this client": "unauthorized_client",
  // RFC 7523, 3.2.
  "invalid client_assertion format": "invalid_client",
};

/** An OAuth error as oidc-provider states it. */
interface Stated {
  readonly error: string;
  readonly error_description?: string | undefined;
}

/** The code that the standard names for an error of oidc-provider. */
export function standardCode({ error, error_description: description = "" }: Stated): string {
  return CODES[description] ?? error;
}

/** Answers with the codes of the standards, in the body or in the redirect to the client, and names the fault of a document. */
export async function useStandardCodes(ctx: OuterContext, next: () => Promise<void>): Promise<void> {
  await next();
  const { body } = ctx;
  if (isStated(body)) {
    const error = standardCode(body);
    ctx.body = { ...body, error, ...documentFault(ctx) };
    if (error !== body.error && error === "invalid_client") ctx.status = 401;
    return;
  }
  const to = ctx.response.get("location");
  if (ctx.oidc?.route !== "authorization" || !URL.canParse(to)) return;
  const url = new URL(to);
  const stated = {
    error: url.searchParams.get("error") ?? "",
    error_description: url.searchParams.get("error_description") ?? "",
  };
  if (standardCode(stated) === stated.error) return;
  url.searchParams.set("error", standardCode(stated));
  ctx.redirect(url.href);
}

/**
 * Shows a page in place of a redirect with an error that no person has caused yet, unless an admin registered the client or the
 * address is on this computer. Otherwise anybody's client document makes this server a redirector (RFC 9700, 4.11.2).
 */
export async function keepErrorsHere(ctx: OuterContext, next: () => Promise<void>): Promise<void> {
  await next();
  const { oidc } = ctx;
  const to = ctx.response.get("location");
  if (oidc === undefined || !BROWSER_ROUTES.includes(oidc.route) || !URL.canParse(to)) return;
  // A person has answered, also one who declined.
  if (oidc.entities.Interaction?.result !== undefined) return;
  const { protocol, hostname, searchParams } = new URL(to);
  const isAdmitted = !oidc.client.clientId.includes(":") || (protocol === "http:" && LOOPBACK_HOSTS.includes(hostname));
  if (isAdmitted || !searchParams.has("error")) return;
  ctx.remove("location");
  ctx.status = 400;
  ctx.type = "html";
  ctx.body = errorPage(Object.fromEntries(searchParams));
}

const BROWSER_ROUTES: readonly string[] = ["authorization", "resume"];

function isStated(body: unknown): body is Stated {
  return typeof body === "object" && body !== null && "error" in body && typeof body.error === "string";
}
