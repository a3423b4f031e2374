/** The content security policy of the authorization server's pages: no scripts, no requests, no frames. */
export const PAGE_POLICY = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; base-uri 'none'";

/** The colours of the app's sign-in pages, in both themes. Copied, because the page loads nothing. */
const STYLE = `:root{color-scheme:light dark}
body{font:14px/1.5 system-ui,sans-serif;margin:0;min-height:100dvh;display:flex;flex-direction:column;align-items:center;justify-content:center;gap:1.5rem;padding:1rem;box-sizing:border-box;background:light-dark(#f6f6f7,#131316);color:light-dark(#1b1b1f,#ececf0)}
main{box-sizing:border-box;width:100%;max-width:28rem;padding:1.5rem;border:1px solid light-dark(#e1e1e6,#2d2d33);border-radius:.75rem;background:light-dark(#fff,#1b1b1f)}
header{display:flex;align-items:center;gap:.5rem;font-size:16px;font-weight:600}
svg{width:1.25rem;height:1.25rem;color:light-dark(#3b50cf,#9aa8ff)}
path+path{fill:light-dark(#f6f6f7,#131316)}
h1{font-size:1.125rem;margin:0 0 .75rem}p{margin:0 0 .75rem}
code{display:block;padding:.5rem .75rem;border-radius:.375rem;font-size:13px;overflow-wrap:anywhere;background:light-dark(#f1f1f4,#26262b)}`;

/** The wordmark of the app's pages (components/shell/wordmark.tsx). */
const WORDMARK = `<header><svg viewBox="0 0 20 20" aria-hidden="true"><path d="M10 1.5 17.5 5v6.2c0 3.6-3.2 6.2-7.5 7.6-4.3-1.4-7.5-4-7.5-7.6V5z" fill="currentColor"/><path d="M10 6.2a2.1 2.1 0 0 1 1 3.95v3.25H9v-3.25a2.1 2.1 0 0 1 1-3.95z"/></svg>Quartermaster</header>`;

// What the person can do about each cause.
const CLIENT_ERROR_ADVICE =
  "The client that sent you here made a request that Quartermaster refuses. Close this page and start again in the client. If it fails again, tell the client's developers:";
const SERVER_ERROR_ADVICE =
  "Quartermaster cannot answer the client that sent you here right now. Close this page, wait a minute, and start again in the client. If it fails again, tell an administrator of Quartermaster:";
const UNKNOWN_CLIENT_ADVICE =
  "Quartermaster does not know the client that sent you here. Ask an administrator to register it under OAuth clients, or to let clients register themselves in the general settings. Then start again in the client:";
const SERVER_ERRORS: readonly (string | undefined)[] = ["temporarily_unavailable", "server_error"];
/** How oidc-provider describes a client id that names no client. */
const NO_SUCH_CLIENT = "client is invalid";

/**
 * The page that a person sees when the server must not redirect to the client, because the address is not registered. Says
 * what the client did wrong, or that this server cannot answer now.
 */
export function errorPage({ error, error_description: description }: Readonly<Record<string, string>>): string {
  return `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>The connection failed</title><style>${STYLE}</style>
${WORDMARK}<main><h1>The connection failed</h1>
<p>${adviceOn(error, description)}</p>
<code>${escape(error ?? "error")}: ${escape(description ?? "no description")}</code></main></html>`;
}

function adviceOn(error: string | undefined, description: string | undefined): string {
  if (SERVER_ERRORS.includes(error)) return SERVER_ERROR_ADVICE;
  return error === "invalid_client" && description === NO_SUCH_CLIENT ? UNKNOWN_CLIENT_ADVICE : CLIENT_ERROR_ADVICE;
}

function escape(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
