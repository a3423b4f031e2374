import type { NextAuthOptions } from "next-auth";
import Credentials from "next-auth/providers/credentials";
import { clientAddress } from "@/lib/auth/client-address";
import { admit } from "@/lib/auth/openid/admit";
import { ProviderUnavailable } from "@/lib/auth/openid/request-provider";
import { findOpenIdProvider } from "@/lib/auth/openid/provider";
import type { OpenIdProvider } from "@/lib/auth/openid/redeem";
import { deviceCookie, knownDevice } from "@/lib/auth/people/known-device";
import { localPath } from "@/lib/auth/people/local-path";
import { cookiesOf, fieldsOf, runNextAuth, type AddCookie } from "@/lib/auth/people/next-auth-handler";
import { freshUser } from "@/lib/auth/openid/recheck";
import { OPENID, openIdConnect, type OpenIdOutcome } from "@/lib/auth/people/openid-connect";
import {
  decodeSession,
  encodeSession,
  SESSION_SECONDS,
  sessionClaims,
  sessionDeadline,
} from "@/lib/auth/people/session";
import { accountDigest, accountOf, signIn } from "@/lib/auth/people/sign-in";
import { env, isServedOverTls } from "@/lib/env";
import { AppError } from "@/lib/errors";
import { forPerson } from "@/lib/store/db/database";
import { log } from "@/lib/telemetry/log";
import { recordAuditEvent } from "@/lib/store/audit/audit-events";
import { countRefusal } from "@/lib/store/audit/refusals";
import { actorOf, endSessions, findOpenIdUser, findUser, type StoredUser } from "@/lib/store/config/users";

/** The page to which every next-auth route returns. */
const SIGN_IN_PAGE = "/sign-in";

/** Codes in `?error=` of the sign-in page. next-auth itself sets the first one and `OAuthCallback`. */
const SIGN_IN_ERRORS = {
  wrong: "CredentialsSignin",
  throttled: "Throttled",
  unreachable: "OpenIdUnreachable",
  declined: "OpenIdDeclined",
  not_proven: "OpenIdNotProven",
  no_group: "OpenIdNoGroup",
  no_email: "OpenIdNoEmail",
  disabled: "OpenIdDisabled",
  last_admin: "OpenIdLastAdmin",
} as const;

/**
 * Runs next-auth for one request below `/api/auth`, from a web-standard request to a web-standard response. Uses its
 * handler without Next, so that tests run the production code.
 *
 * @param segments the path below `/api/auth`
 * @param body the request's body; the caller has limited its size
 */
export async function answerSignIn(request: Request, segments: readonly string[], body: string): Promise<Response> {
  const cookies = cookiesOf(request.headers.get("cookie") ?? "");
  for (const name of CALLBACK_COOKIES) if (name in cookies) cookies[name] = ownAddress(cookies[name] ?? "");
  return keepCallback(await answer(request, segments, body, cookies), cookies);
}

async function answer(
  request: Request,
  segments: readonly string[],
  body: string,
  cookies: Readonly<Record<string, string>>,
): Promise<Response> {
  const provider = segments[1] === OPENID ? await openIdProvider() : null;
  if (provider === "unreachable") return turnedAway(request.method, "unreachable");
  if (!ACTIONS.has(segments[0] ?? "")) throw new AppError("not_found", "There is nothing at this address.");
  // next-auth answers 500 to a GET callback of a provider without one.
  if (request.method === "GET" && segments[0] === "callback" && segments[1] !== OPENID)
    throw new AppError("method_not_allowed", "Use POST.", { headers: { allow: "POST" } });
  const given = onlyOwnCallback(Object.fromEntries(new URL(request.url).searchParams));
  const query = { ...given, nextauth: [...segments] };
  const { error } = given;
  if (provider !== null && error !== undefined) {
    log.warn({ error: error.slice(0, 100) }, "The OpenID provider sent someone back with an error.");
    countSignIn("OpenID Connect: the provider answered with an error.", null, request.headers);
    return turnedAway(request.method, error === "access_denied" ? "declined" : "not_proven");
  }
  const { method, headers } = request;
  const fields = onlyOwnCallback(fieldsOf(headers.get("content-type") ?? "", body));
  // A person at the door of a busy machine waits as on a page. No decision depends on it.
  return forPerson(() =>
    runNextAuth({ method, headers, query, cookies, body: fields }, (addCookie) =>
      options(headers, provider, addCookie),
    ),
  );
}

/** The next-auth actions in use. Its route that logs any posted text is left out. */
const ACTIONS: ReadonlySet<string> = new Set([
  "callback",
  "csrf",
  "error",
  "providers",
  "session",
  "signin",
  "signout",
]);

const CALLBACK_COOKIES = ["next-auth.callback-url", "__Secure-next-auth.callback-url"] as const;

/** Replaces `callbackUrl` with an address of this app, because next-auth answers 500 to one that it cannot parse. */
function onlyOwnCallback(fields: Record<string, string>): Record<string, string> {
  const { callbackUrl, ...others } = fields;
  return callbackUrl === undefined ? others : { ...others, callbackUrl: ownAddress(callbackUrl) };
}

/** Adds where the person was going to a redirect to the sign-in page with an error: a second try then leads there. */
function keepCallback(response: Response, cookies: Readonly<Record<string, string>>): Response {
  const location = response.headers.get("location");
  if (location === null || !URL.canParse(location, env.NEXTAUTH_URL)) return response;
  const url = new URL(location, env.NEXTAUTH_URL);
  const given = CALLBACK_COOKIES.map((name) => cookies[name]).find((value) => value !== undefined);
  if (given === undefined || url.pathname !== SIGN_IN_PAGE || !url.searchParams.has("error")) return response;
  url.searchParams.set("callbackUrl", localPath(given));
  response.headers.set("location", url.href);
  return response;
}

function ownAddress(given: string): string {
  return new URL(localPath(given), env.NEXTAUTH_URL).href;
}

async function openIdProvider(): Promise<OpenIdProvider | "unreachable" | null> {
  try {
    return await findOpenIdProvider();
  } catch (error) {
    if (!(error instanceof ProviderUnavailable)) throw error;
    log.warn({ err: error }, "The OpenID provider cannot be used.");
    return "unreachable";
  }
}

/** A refusal in next-auth's form: JSON with the address for the page's request, a redirect on the way back. */
function turnedAway(method: string, error: keyof typeof SIGN_IN_ERRORS): Response {
  const url = new URL(errorPage(error), env.NEXTAUTH_URL).href;
  return method === "POST" ? Response.json({ url }) : new Response(null, { status: 302, headers: { location: url } });
}

function errorPage(error: keyof typeof SIGN_IN_ERRORS): string {
  return `${SIGN_IN_PAGE}?error=${SIGN_IN_ERRORS[error]}`;
}

/** The user who gets a session: found by issuer and subject with OpenID Connect, else by user id. */
function findSignedIn(id: string, openid: OpenIdProvider | null): Promise<StoredUser | null> {
  return openid === null ? findUser(id) : findOpenIdUser(openid.settings.issuer, id);
}

function options(headers: Headers, openid: OpenIdProvider | null, addCookie: AddCookie): NextAuthOptions {
  return {
    secret: env.NEXTAUTH_SECRET,
    session: { strategy: "jwt", maxAge: SESSION_SECONDS.idle },
    // next-auth encodes the cookie again at `/api/auth/session`, so the claims hold the deadlines, not its maxAge.
    jwt: {
      encode: ({ token }) => encodeSession(token ?? {}),
      decode: async ({ token }) => (token === undefined ? null : decodeSession(token)),
    },
    useSecureCookies: isServedOverTls(),
    pages: { signIn: SIGN_IN_PAGE, signOut: SIGN_IN_PAGE, error: SIGN_IN_PAGE },
    providers: [withPassword(headers, addCookie), ...(openid === null ? [] : [openIdConnect(openid)])],
    callbacks: callbacks(headers, openid),
    events: {
      // The browser drops the cookie. Ending the sessions makes copies of the cookie invalid too.
      signOut: async ({ token }) => {
        const { sub, epoch } = token ?? {};
        if (typeof sub !== "string" || typeof epoch !== "number") return;
        const found = await findUser(sub);
        await endSessions(sub, epoch);
        if (found?.sessionEpoch === epoch) await recordSession("people.signed_out", found, headers);
      },
    },
    logger: {
      error: (code, metadata) => log.warn({ code, err: metadata instanceof Error ? metadata : undefined }, "sign-in"),
      warn: (code) => log.debug({ code }, "sign-in"),
      debug: () => {},
    },
  };
}

function withPassword(headers: Headers, addCookie: AddCookie): NextAuthOptions["providers"][number] {
  return Credentials({
    name: "password",
    credentials: { email: { type: "email" }, password: { type: "password" } },
    authorize: async (given) => {
      const { email, password } = given ?? {};
      if (typeof email !== "string" || typeof password !== "string") return null;
      const account = accountDigest(accountOf(email));
      const device = await knownDevice(headers.get("cookie"), account);
      const from = { address: clientAddress(headers), device };
      const result = await signIn(email, password, from, Date.now());
      if (result.kind === "signed_in" && device === null) addCookie(await deviceCookie(account));
      // next-auth passes the message of an error thrown here to the page as `?error=`.
      if (result.kind === "throttled") {
        countSignIn("Too many attempts.", null, headers);
        throw new Error(SIGN_IN_ERRORS.throttled);
      }
      if (result.kind === "refused") countSignIn(result.reason, result.account, headers);
      return result.kind === "signed_in" ? { id: result.user.id } : null;
    },
  });
}

/** Who is admitted, what a session's cookie holds, and what each request reads of it. */
function callbacks(headers: Headers, openid: OpenIdProvider | null): NonNullable<NextAuthOptions["callbacks"]> {
  return {
    // An address instead of `true` redirects there without a session.
    signIn: async ({ account, profile }) => {
      if (account?.provider !== OPENID || openid === null) return true;
      const outcome = profile as OpenIdOutcome;
      const refusal = outcome.kind === "proven" ? await admit(outcome, openid.settings, Date.now()) : outcome.kind;
      if (refusal === null) return true;
      if (refusal !== "unreachable") countSignIn(`OpenID Connect: ${refusal}`, null, headers);
      return errorPage(refusal);
    },
    jwt: async ({ token, user }) => {
      if (user === undefined) return token;
      const found = await findSignedIn(user.id, openid);
      if (found === null) return {};
      // Waits for the audit row: no session without it.
      await recordSession("people.signed_in", found, headers);
      return sessionClaims(found);
    },
    session: async ({ token }) => {
      const expires = new Date(sessionDeadline(token) * 1000).toISOString();
      const known = typeof token.sub === "string" ? await findUser(token.sub) : null;
      const found = known === null ? null : await freshUser(known, Date.now());
      const live = found !== null && found.enabled && found.sessionEpoch === token["epoch"];
      if (!live) return { expires };
      return { expires, user: { name: found.displayName || found.name, email: found.email, role: found.role } };
    },
  };
}

async function recordSession(
  action: "people.signed_in" | "people.signed_out",
  found: StoredUser,
  headers: Headers,
): Promise<void> {
  await recordAuditEvent({
    actor: actorOf(found),
    action,
    target: found.email,
    requestId: null,
    address: clientAddress(headers),
    detail: found.issuer === null ? "password" : "OpenID Connect",
  });
}

/** Counts a refused sign-in: by account if there is one, else by network address. */
function countSignIn(reason: string, account: string | null, headers: Headers): void {
  const address = clientAddress(headers);
  const by =
    account === null ? ({ kind: "address", name: address } as const) : ({ kind: "user", name: account } as const);
  countRefusal({ action: "refused.sign_in", reason, by, address });
}
