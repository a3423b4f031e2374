const BASE = "http://localhost";

/**
 * The path of this app that an address names, `/` for any other: a link must not send people elsewhere
 * after they typed their password. An absolute address (next-auth writes those) counts by its path.
 */
export function localPath(address: string): string {
  const url = URL.canParse(address, BASE) ? new URL(address, BASE) : new URL(BASE);
  const path = `${url.pathname}${url.search}`;
  // `/.//evil.example` is a path of ours to a parser, and another site to the browser that is given the path.
  const stays = URL.canParse(path, BASE) && new URL(path, BASE).origin === BASE;
  return stays && (url.origin === BASE || /^https?:\/\//.test(address)) ? path : "/";
}
