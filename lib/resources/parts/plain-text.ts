import { parseAddress } from "@/lib/access/model/addresses";

/** Whether requests to this address are readable on the network: http to another machine. */
export function isPlainText(url: string): boolean {
  if (!url.toLowerCase().startsWith("http:")) return false;
  const host = URL.canParse(url) ? new URL(url).hostname : "";
  return !isThisMachine(host);
}

/** Whether a URL's host name is a loopback address. */
export function isThisMachine(hostname: string): boolean {
  return hostname === "localhost" || parseAddress(hostname.replaceAll(/^\[|\]$/g, ""))?.range() === "loopback";
}
