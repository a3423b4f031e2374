const BASE = "http://localhost";
/** Longest path in characters. An answer carries it twice, each character as up to three, in at most 16 KiB of headers. */
const MAX_CHARACTERS = 2_000;

/**
 * The path of an address in this app, or `/` for any other and any longer address: a link must not lead people to another
 * site after their sign-in. Of an absolute address, which next-auth writes, only the path counts.
 */
export function localPath(address: string): string {
  const url = URL.canParse(address, BASE) ? new URL(address, BASE) : new URL(BASE);
  const path = `${url.pathname}${url.search}`;
  // A parser reads `/.//evil.example` as a local path, but a browser that gets this path goes to another site.
  const stays = URL.canParse(path, BASE) && new URL(path, BASE).origin === BASE;
  return stays && path.length <= MAX_CHARACTERS && (url.origin === BASE || /^https?:\/\//.test(address)) ? path : "/";
}
