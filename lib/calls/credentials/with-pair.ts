/** Sets one of our own pairs in an address's query. It replaces every argument with the same name. */
export function withPair(url: string, [name, value]: readonly [string, string]): string {
  const end = url.indexOf("?");
  const [address, search] = end === -1 ? [url, ""] : [url.slice(0, end), url.slice(end + 1)];
  const others = search.split("&").filter((pair) => pair !== "" && !new URLSearchParams(pair).has(name));
  return `${address}?${[...others, `${encodeURIComponent(name)}=${encodeURIComponent(value)}`].join("&")}`;
}
