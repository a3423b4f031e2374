/** An address with a pair of the house's own in its query: no argument may stand beside it, or in its place. */
export function withPair(url: string, [name, value]: readonly [string, string]): string {
  const end = url.indexOf("?");
  const [address, search] = end === -1 ? [url, ""] : [url.slice(0, end), url.slice(end + 1)];
  const others = search.split("&").filter((pair) => pair !== "" && !new URLSearchParams(pair).has(name));
  return `${address}?${[...others, `${encodeURIComponent(name)}=${encodeURIComponent(value)}`].join("&")}`;
}
