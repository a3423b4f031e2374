import NextAuth, { type NextAuthOptions } from "next-auth";
import Credentials from "next-auth/providers/credentials";
import { clientAddress } from "@/lib/auth/people/client-address";
import { admit } from "@/lib/auth/people/openid/admit";
import { ProviderUnavailable } from "@/lib/auth/people/openid/ask";
import { findOpenIdProvider, OPENID, openIdConnect, type OpenIdOutcome } from "@/lib/auth/people/openid/provider";
import type { OpenIdProvider } from "@/lib/auth/people/openid/redeem";
import { SESSION_SECONDS, servedOverTls, sessionClaims } from "@/lib/auth/people/session";
import { signIn } from "@/lib/auth/people/sign-in";
import { env } from "@/lib/env";
import { log } from "@/lib/telemetry/log";
import { endSessions, findOpenIdUser, findUser, type StoredUser } from "@/lib/store/users";

/** The page that every door of next-auth leads back to. */
const SIGN_IN_PAGE = "/sign-in";

/** Codes in the sign-in page's `?error=`; next-auth makes the first one, and `OAuthCallback` by itself. */
export const SIGN_IN_ERRORS = {
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
 * next-auth's answer to one request below `/api/auth`, web-standard on both sides. Its framework-free
 * handler is used, so that tests call what production calls, with nothing of Next around it.
 *
 * @param segments the path below `/api/auth`
 * @param body the request's body, read and bounded by the caller
 */
export async function answerSignIn(request: Request, segments: readonly string[], body: string): Promise<Response> {
  const asked = segments[1] === OPENID ? await openIdProvider() : null;
  if (asked === "unreachable") return turnedAway(request.method, "unreachable");
  const query = { ...Object.fromEntries(new URL(request.url).searchParams), nextauth: [...segments] };
  const { error } = query as { error?: string };
  if (asked !== null && error !== undefined) {
    log.warn({ error: error.slice(0, 100) }, "The OpenID provider sent someone back with an error.");
    return turnedAway(request.method, error === "access_denied" ? "declined" : "not_proven");
  }
  const answer = new Answer();
  await handle(
    {
      query,
      body: fieldsOf(request.headers.get("content-type") ?? "", body),
      cookies: cookiesOf(request.headers.get("cookie") ?? ""),
      headers: Object.fromEntries(request.headers),
      method: request.method,
    },
    answer,
    options(request.headers, asked),
  );
  return answer.response();
}

/** The overload for Next's older API routes asks for no more of its two arguments than this. */
const handle = NextAuth as unknown as (request: object, answer: Answer, options: NextAuthOptions) => Promise<void>;

async function openIdProvider(): Promise<OpenIdProvider | "unreachable" | null> {
  try {
    return await findOpenIdProvider();
  } catch (error) {
    if (!(error instanceof ProviderUnavailable)) throw error;
    log.warn({ err: error }, "The OpenID provider cannot be used.");
    return "unreachable";
  }
}

/** In next-auth's own forms: the address as JSON for our page's request, a redirect on the way back. */
function turnedAway(method: string, error: keyof typeof SIGN_IN_ERRORS): Response {
  const url = new URL(errorPage(error), env.NEXTAUTH_URL).href;
  return method === "POST" ? Response.json({ url }) : new Response(null, { status: 302, headers: { location: url } });
}

function errorPage(error: keyof typeof SIGN_IN_ERRORS): string {
  return `${SIGN_IN_PAGE}?error=${SIGN_IN_ERRORS[error]}`;
}

/** Whoever next-auth is about to give a session; with OpenID Connect an issuer's subject, else an id of ours. */
function findSignedIn(id: string, openid: OpenIdProvider | null): Promise<StoredUser | null> {
  return openid === null ? findUser(id) : findOpenIdUser(openid.settings.issuer, id);
}

function options(headers: Headers, openid: OpenIdProvider | null): NextAuthOptions {
  return {
    secret: env.NEXTAUTH_SECRET,
    session: { strategy: "jwt", maxAge: SESSION_SECONDS },
    useSecureCookies: servedOverTls(),
    pages: { signIn: SIGN_IN_PAGE, signOut: SIGN_IN_PAGE, error: SIGN_IN_PAGE },
    providers: [
      Credentials({
        name: "password",
        credentials: { email: { type: "email" }, password: { type: "password" } },
        authorize: async (given) => {
          const { email, password } = given ?? {};
          if (typeof email !== "string" || typeof password !== "string") return null;
          const result = await signIn(email, password, clientAddress(headers), Date.now());
          // next-auth hands the message of what is thrown here to the page as `?error=`.
          if (result.kind === "throttled") throw new Error(SIGN_IN_ERRORS.throttled);
          return result.kind === "signed_in" ? { id: result.user.id } : null;
        },
      }),
      ...(openid === null ? [] : [openIdConnect(openid)]),
    ],
    callbacks: {
      // An address instead of `true` sends them there, with no session.
      signIn: async ({ account, profile }) => {
        if (account?.provider !== OPENID || openid === null) return true;
        const outcome = profile as OpenIdOutcome;
        if (outcome.kind !== "proven") return errorPage(outcome.kind);
        const refusal = await admit(outcome, openid.settings, Date.now());
        return refusal === null ? true : errorPage(refusal);
      },
      jwt: async ({ token, user }) => {
        if (user === undefined) return token;
        const found = await findSignedIn(user.id, openid);
        return found === null ? {} : sessionClaims(found);
      },
      session: async ({ session, token }) => {
        const found = typeof token.sub === "string" ? await findUser(token.sub) : null;
        const live = found !== null && found.enabled && found.sessionEpoch === token["epoch"];
        return live
          ? {
              expires: session.expires,
              user: { name: found.displayName || found.name, email: found.email, role: found.role },
            }
          : { expires: session.expires };
      },
    },
    events: {
      // The cookie goes from this browser; a copy of it must not live on anywhere.
      signOut: async ({ token }) => {
        const { sub, epoch } = token ?? {};
        if (typeof sub === "string" && typeof epoch === "number") await endSessions(sub, epoch);
      },
    },
    logger: {
      error: (code, metadata) => log.warn({ code, err: metadata instanceof Error ? metadata : undefined }, "sign-in"),
      warn: (code) => log.debug({ code }, "sign-in"),
      debug: () => {},
    },
  };
}

function fieldsOf(contentType: string, body: string): Record<string, unknown> {
  if (body === "") return {};
  if (!contentType.includes("application/json")) return Object.fromEntries(new URLSearchParams(body));
  try {
    const value: unknown = JSON.parse(body);
    return typeof value === "object" && value !== null ? { ...value } : {};
  } catch {
    return {};
  }
}

function cookiesOf(header: string): Record<string, string> {
  const pairs = header.split(";").flatMap((part) => {
    const equals = part.indexOf("=");
    return equals < 0 ? [] : [[part.slice(0, equals).trim(), decoded(part.slice(equals + 1).trim())] as const];
  });
  return Object.fromEntries(pairs);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Collects what next-auth answers with, in the shape that its handler writes to. */
class Answer {
  readonly #headers = new Headers();
  #cookies: string[] = [];
  #status = 200;
  #body: string | null = null;

  status(code: number): this {
    this.#status = code;
    return this;
  }
  getHeader(name: string): string[] | string | null {
    return name.toLowerCase() === "set-cookie" ? this.#cookies : this.#headers.get(name);
  }
  setHeader(name: string, value: string | string[]): this {
    if (name.toLowerCase() === "set-cookie") this.#cookies = [value].flat();
    else this.#headers.set(name, [value].flat().join(", "));
    return this;
  }
  json(value: unknown): void {
    this.#headers.set("content-type", "application/json");
    this.#body = JSON.stringify(value);
  }
  send(value: unknown): void {
    if (typeof value === "string") this.#body = value;
    else if (value !== undefined) this.json(value);
  }
  end(): void {}

  response(): Response {
    const headers = new Headers(this.#headers);
    for (const cookie of this.#cookies) headers.append("set-cookie", cookie);
    return new Response(this.#body, { status: this.#status, headers });
  }
}
