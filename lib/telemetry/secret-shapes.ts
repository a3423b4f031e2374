// Shapes of secrets in text. Callers and upstreams choose the text, so each pattern must take linear time: it consumes all
// that it has scanned, or scans a bounded part.

/** The text that replaces a secret. */
const MASKED = "[redacted]";

/** A text without any of these contains no shape. One test spares most texts the others. */
const MAY_HOLD_SHAPE =
  /[-_=:%]|bearer|basic|akia|asia|aiza|eyj|sg\.|ya29|hvs\.|dapi|atatt|token|secret|passw|passphrase|api ?key|sk[0-9a-f]{8}/i;

/** Shapes to mask completely: schemes of `Authorization`, keys of vendors, PEM keys. */
const SHAPES: readonly RegExp[] = [
  // Not the words "basic authentication", which API documents contain.
  /\b(?:bearer|basic)(?:[\s+]|%20){1,8}(?!auth(?:entication|orization)(?![A-Za-z0-9_~+/=-]))[A-Za-z0-9._~+/=-]{8,}/gi,
  /\b(?:qmp?_[A-Za-z0-9_-]{16,}|(?:sk|pk|rk)[-_](?:live|test|proj|ant)[-_][A-Za-z0-9_-]{8,}|sk-(?:[A-Za-z0-9]{20,}|(?=[A-Za-z_-]{0,40}\d)[A-Za-z0-9_-]{20,})|whsec_[A-Za-z0-9+/=]{16,}|gh[pousr]_[A-Za-z0-9]{20,}|github_pat_[A-Za-z0-9_]{20,}|gl(?:pat|ptt|rt|dt)-[A-Za-z0-9_-]{16,}|xox[abeoprs]-[A-Za-z0-9-]{10,}|xapp-[A-Za-z0-9-]{10,}|npm_[A-Za-z0-9]{30,}|pypi-[A-Za-z0-9_-]{30,}|hf_[A-Za-z0-9]{20,}|do[opr]_v1_[a-f0-9]{32,}|shp(?:at|ca|pa|ss)_[A-Fa-f0-9]{20,}|SG\.[A-Za-z0-9_-]{16,64}\.[A-Za-z0-9_-]{16,}|ya29\.[A-Za-z0-9_-]{20,}|hvs\.[A-Za-z0-9_-]{20,}|AIza[A-Za-z0-9_-]{30,}|(?:AKIA|ASIA)[0-9A-Z]{16}\b)/g,
  /\b(?:(?:gsk|r8|lin_api|ntn|secret)_[A-Za-z0-9]{20,}|(?:dckr_(?:pat|oat)|figd|sbp)_[A-Za-z0-9_-]{20,}|(?:pplx|PMAK|tskey|sq0atp|sq0csp)-[A-Za-z0-9_-]{20,}|ATATT[A-Za-z0-9_=-]{20,}|AGE-SECRET-KEY-1[A-Z0-9]{20,}|(?:dapi|SK)[a-f0-9]{32}\b)/g,
  /-----BEGIN [A-Z ]{0,30}PRIVATE KEY-----(?:[^-]|-(?!----)){0,8192}(?:-----END [A-Z ]{0,30}PRIVATE KEY-----)?/g,
];

/**
 * A JWT, or a text that only begins like one. The pattern consumes the latter too, and the replacement keeps it: otherwise
 * each later part of the text would be scanned again.
 */
const JWT = /(?<![A-Za-z0-9_])eyJ[A-Za-z0-9_-]{8,}(\.[A-Za-z0-9_-]{4,}\.[A-Za-z0-9_-]*)?/g;

/** `scheme://user:password@host`. Only the password is masked. */
const URL_PASSWORD = /\b([a-z][a-z0-9+.-]{1,20}:\/\/[^\s:/@"]{0,256}):[^\s/@"]{1,256}@/gi;

/** A token as the user name: `https://token@host`. */
const URL_TOKEN = /\b([a-z][a-z0-9+.-]{1,20}:\/\/)(?=[A-Za-z_-]{0,256}\d)[A-Za-z0-9_-]{20,256}@/gi;

/** `token value` and `--password value`. A value of less than 16 characters, or without a digit or a letter, counts as prose. */
const NAMED_IN_PROSE =
  /\b((?:token|secret|password|passwd|passphrase|api[-_ ]?key)[ ]{1,3})(?=[A-Za-z_+/.~-]{0,256}\d)(?=[\d_+/.~-]{0,256}[A-Za-z])[A-Za-z0-9._~+/=-]{16,8192}/gi;

/** The end of a name whose value is a secret. */
const NAME =
  "(?:passw(?:or)?d|passphrase|secret|token|(?:api|access|private|account|shared|signing|encryption)[-_ ]?key|credentials?|authorization|(?<![A-Za-z0-9])(?:pwd|pin|cvv|cvc|otp|ssn|iban|jwt|sig|cookie))";

/** `name=value`, in a query, a form, a shell or a connection string, where shorter names are unambiguous too. */
const ASSIGNED = new RegExp(
  `((?:${NAME}|(?<![A-Za-z0-9])(?:pass|passcode|auth|signature)|[?&]key)["']?\\s{0,3}={1,3}>?\\s{0,3})(\\\\{1,8}["'][^"'\\\\]{1,8192}|"[^"]{1,8192}"?|'[^']{1,8192}'?|(?<quote>%(?:25)?2[27])(?:(?!\\k<quote>)[^]){1,8192}(?:\\k<quote>)?|[^\\s"'&;<>]{1,8192})`,
  "gi",
);

/** `"name": "value"`, with any number of escapes, or in HTML's notation. */
const JSON_MEMBER = new RegExp(
  `(${NAME}(?:\\\\{0,8}["']|&quot;|&#34;)\\s{0,8}:\\s{0,8})(?:(\\\\{0,8}["']|&quot;|&#34;)(?:[^"'\\\\&\\r\\n]|&(?!quot;|#34;)){1,8192}|-?\\d{1,64})`,
  "gi",
);

/** `name: value`, of headers and YAML. A short value of letters alone counts as prose. */
const COLON_PAIR = new RegExp(
  `(${NAME}\\s{0,3}:\\s{0,3}["']?)(?=[A-Za-z]{0,64}[^A-Za-z\\s"'\\\\&;,<>{}[\\]]|[A-Za-z]{20})[^\\s"'\\\\&;,<>{}[\\]]{6,8192}`,
  "gi",
);

/** Headers whose whole value is secret. A quote ends it, except after `=`, as in `Digest response="…"`. */
const SECRET_HEADER =
  /\b((?:proxy-)?authorization|(?:set-)?cookie)(\s{0,3}:\s{0,3})(?:[^\r\n"'\\]|(?<==)(\\{0,8}")[^\r\n"\\]{0,8192}(?:\3)?){1,8192}/gi;

/** Masks the parts of a text that look like secrets. */
export function maskSecretShapes(text: string): string {
  if (text.length < 6 || !MAY_HOLD_SHAPE.test(text)) return text;
  let masked = maskUnencoded(text);
  if (!text.includes("%")) return masked;
  // Percent-encoded once or twice: returns the last decoded form that contains a secret. One text may hold secrets of both kinds.
  // Values that end at a character are masked before decoding, because a decoded value may hold that character.
  let decoded = maskNamed(maskUrls(text));
  for (let round = 0; round < 2; round += 1) {
    const before = decoded;
    decoded = before.replace(/(?:%[0-9a-f]{2})+/gi, (run) =>
      Buffer.from(run.replaceAll("%", ""), "hex").toString("utf8"),
    );
    if (decoded === before) break;
    const shown = maskUnencoded(decoded);
    if (shown !== decoded) masked = decoded = shown.replaceAll("\0", "\uFFFD");
  }
  return masked;
}

function maskUnencoded(text: string): string {
  let result = text;
  for (const shape of SHAPES) result = result.replace(shape, MASKED);
  result = result.replace(JWT, (run, parts?: string) => (parts === undefined ? run : MASKED));
  result = maskUrls(result);
  if (result.includes(" ")) result = result.replace(NAMED_IN_PROSE, `$1${MASKED}`);
  return maskNamed(result);
}

function maskUrls(text: string): string {
  if (!text.includes("://")) return text;
  return text.replace(URL_PASSWORD, `$1:${MASKED}@`).replace(URL_TOKEN, `$1${MASKED}@`);
}

/** Masks values whose name says that they are secret, however they are encoded. */
function maskNamed(text: string): string {
  const result = text.includes("=") ? text.replace(ASSIGNED, `$1${MASKED}`) : text;
  if (!result.includes(":")) return result;
  return result
    .replace(
      JSON_MEMBER,
      (_all, name: string, quote?: string) => `${name}${quote ?? '"'}${MASKED}${quote === undefined ? '"' : ""}`,
    )
    .replace(SECRET_HEADER, `$1$2${MASKED}`)
    .replace(COLON_PAIR, `$1${MASKED}`);
}
