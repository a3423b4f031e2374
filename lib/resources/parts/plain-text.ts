/** Whether requests to this address are readable on the network: http to another machine. */
export function isPlainText(url: string): boolean {
  if (!url.toLowerCase().startsWith("http:")) return false;
  const host = URL.canParse(url) ? new URL(url).hostname : "";
  return host !== "localhost" && host !== "[::1]" && !/^127(?:\.\d{1,3}){3}$/.test(host);
}
