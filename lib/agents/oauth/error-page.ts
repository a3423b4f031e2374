/** What a browser page of the authorization server may do: nothing. */
export const PAGE_POLICY = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; base-uri 'none'";

/** Colours of the app's sign-in pages, in both themes. The page loads nothing, so they stand here. */
const STYLE = `:root{color-scheme:light dark}
body{font:14px/1.5 system-ui,sans-serif;margin:0;min-height:100dvh;display:grid;place-items:center;padding:1rem;box-sizing:border-box;background:light-dark(#f6f6f7,#131316);color:light-dark(#1b1b1f,#ececf0)}
main{box-sizing:border-box;width:100%;max-width:28rem;padding:1.5rem;border:1px solid light-dark(#e1e1e6,#2d2d33);border-radius:.75rem;background:light-dark(#fff,#1b1b1f)}
h1{font-size:1.125rem;margin:0 0 .75rem}p{margin:0 0 .75rem}
code{display:block;padding:.5rem .75rem;border-radius:.375rem;font-size:13px;overflow-wrap:anywhere;background:light-dark(#f1f1f4,#26262b)}`;

/**
 * The page that a person sees when a client's request cannot be answered by a redirect: an unregistered address must get
 * nothing. Says what the client did wrong.
 */
export function errorPage({ error, error_description: description }: Readonly<Record<string, string>>): string {
  return `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>The connection failed</title><style>${STYLE}</style>
<main><h1>The connection failed</h1>
<p>The client that sent you here made a request that Quartermaster refuses. Close this page and start again in the client. If it fails again, tell the client's developers:</p>
<code>${escape(error ?? "error")}: ${escape(description ?? "no description")}</code></main></html>`;
}

function escape(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
