/** What a browser page of the authorization server may do: nothing. */
export const PAGE_POLICY = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; base-uri 'none'";

const STYLE =
  "body{font:16px/1.5 system-ui,sans-serif;max-width:36rem;margin:15vh auto;padding:0 1rem}code{word-break:break-word}";

/**
 * The page that a person sees when a client's request cannot be answered by a redirect: an unregistered address must get
 * nothing. Says what the client did wrong.
 */
export function errorPage({ error, error_description: description }: Readonly<Record<string, string>>): string {
  return `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>The connection failed</title><style>${STYLE}</style>
<h1>The connection failed</h1>
<p>The client that sent you here made a request that Quartermaster refuses. Close this page and start again in the client. If it fails again, tell the client's developers:</p>
<p><code>${escape(error ?? "error")}: ${escape(description ?? "no description")}</code></p></html>`;
}

function escape(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
