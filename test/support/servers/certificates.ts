import { execFileSync } from "node:child_process";

/** Whether OpenSSL 3 or newer is installed. Older ones cannot sign with `req -CA`. */
export function hasOpenssl(): boolean {
  try {
    return /^OpenSSL [3-9]/.test(execFileSync("openssl", ["version"], { encoding: "utf8" }));
  } catch {
    return false;
  }
}

/**
 * Creates certificates (`.crt`) and their keys (`.key`) in a folder: `authority`; `server`, which it signed for 127.0.0.1;
 * and `stranger`, another authority that signed neither.
 */
export function createCertificates(folder: string): void {
  const openssl = (...args: string[]) => execFileSync("openssl", args, { cwd: folder, stdio: "pipe" });
  const key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2"];
  for (const name of ["authority", "stranger"])
    openssl("req", "-x509", ...key, "-keyout", `${name}.key`, "-out", `${name}.crt`, "-subj", `/CN=${name}`);
  const signed = ["-CA", "authority.crt", "-CAkey", "authority.key", "-addext", "subjectAltName=IP:127.0.0.1"];
  openssl("req", "-x509", ...key, ...signed, "-keyout", "server.key", "-out", "server.crt", "-subj", "/CN=127.0.0.1");
}
