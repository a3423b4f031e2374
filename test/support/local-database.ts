/** The URL unchanged, unless it leads off this machine: tests create, fill and drop databases. */
export function requireLocal(databaseUrl: string): string {
  const { hostname } = new URL(databaseUrl);
  if (["127.0.0.1", "localhost", "[::1]"].includes(hostname)) return databaseUrl;
  throw new Error(`Tests run on a local database only, not on ${hostname}: unset DATABASE_URL.`);
}

/** The URL of the database `name` on the same server. */
export function sibling(databaseUrl: string, name: string): string {
  const url = new URL(databaseUrl);
  url.pathname = `/${name}`;
  return url.href;
}
