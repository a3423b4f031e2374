import { GET, POST } from "@/app/api/auth/[...nextauth]/route";
import { ORIGIN } from "@/test/support/person";

/** The address to which a provider returns people in tests. */
export const REDIRECT_URI = `${ORIGIN}/api/auth/callback/openid`;

/** A browser without a screen that keeps the app's cookies apart from those of the provider. */
export interface OpenIdBrowser {
  /** Presses the button of the sign-in page and returns its destination. */
  start(): Promise<URL>;
  /** Signs in at the provider as `account`; `""` cancels. Returns the address that leads back to the app. */
  visit(address: URL, account: string): Promise<URL>;
  /** Comes back to the app. */
  comeBack(address: URL): Promise<Returned>;
  /** Runs `start`, `visit` and `comeBack`. */
  signIn(account: string): Promise<Returned>;
  /** The cookies that the app set, by name. */
  readonly cookies: Map<string, string>;
}

/** The app's answer to a person who returned from the provider. */
export interface Returned {
  /** `Cookie` header of the session; `null` = not signed in. */
  readonly session: string | null;
  /** The page to go to, and its `?error=`. */
  readonly path: string;
  readonly error: string | null;
  /** Where a second try on the sign-in page leads. */
  readonly callbackUrl: string | null;
}

/** A new browser with no cookies. */
export function openBrowser(): OpenIdBrowser {
  const cookies = new Map<string, string>();
  const theirs = new Map<string, string>();

  async function start(): Promise<URL> {
    const csrf = await call(GET, "csrf", "GET");
    const { csrfToken } = (await csrf.json()) as { csrfToken: string };
    const body = new URLSearchParams({ csrfToken, json: "true", callbackUrl: "/admin/policies" });
    const answer = await call(POST, "signin/openid", "POST", body);
    return new URL(((await answer.json()) as { url: string }).url, ORIGIN);
  }

  async function call(handler: typeof GET, path: string, method: string, body?: URLSearchParams): Promise<Response> {
    const [route = ""] = path.split("?");
    const headers = { origin: ORIGIN, cookie: headerOf(cookies) };
    const request = new Request(`${ORIGIN}/api/auth/${path}`, { method, headers, ...(body && { body }) });
    const answer = await handler(request, { params: Promise.resolve({ nextauth: route.split("/") }) });
    keep(cookies, answer);
    return answer;
  }

  async function visit(address: URL, account: string): Promise<URL> {
    let at = address;
    while (at.origin !== ORIGIN) {
      const asked = at.pathname.startsWith("/interaction/")
        ? { method: "POST", body: new URLSearchParams({ account }) }
        : {};
      const answer = await fetch(at, { ...asked, headers: { cookie: headerOf(theirs) }, redirect: "manual" });
      keep(theirs, answer);
      const next = answer.headers.get("location");
      if (next === null) throw new Error(`${at.href}: ${answer.status} ${await answer.text()}`);
      at = new URL(next, at);
    }
    return at;
  }

  async function comeBack(address: URL): Promise<Returned> {
    const answer = await call(GET, `${address.pathname.replace("/api/auth/", "")}${address.search}`, "GET");
    let to = new URL(answer.headers.get("location") ?? "", ORIGIN);
    // next-auth redirects its own refusals through one more address.
    while (to.pathname.startsWith("/api/auth/")) {
      const next = await call(GET, `${to.pathname.replace("/api/auth/", "")}${to.search}`, "GET");
      to = new URL(next.headers.get("location") ?? "", ORIGIN);
    }
    const session = [...cookies].find(([name]) => name === "next-auth.session-token");
    return {
      session: session === undefined ? null : session.join("="),
      path: to.pathname,
      error: to.searchParams.get("error"),
      callbackUrl: to.searchParams.get("callbackUrl"),
    };
  }

  return {
    start,
    visit,
    comeBack,
    cookies,
    signIn: async (account) => comeBack(await visit(await start(), account)),
  };
}

function keep(jar: Map<string, string>, answer: Response): void {
  for (const text of answer.headers.getSetCookie()) {
    const [pair = ""] = text.split(";");
    const equals = pair.indexOf("=");
    const value = pair.slice(equals + 1);
    if (value === "" || /max-age=0|expires=thu, 01 jan 1970/i.test(text)) jar.delete(pair.slice(0, equals));
    else jar.set(pair.slice(0, equals), value);
  }
}

function headerOf(jar: ReadonlyMap<string, string>): string {
  return [...jar].map(([name, value]) => `${name}=${value}`).join("; ");
}
