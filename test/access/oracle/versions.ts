/** A semantic version's three numbers and its pre-release parts. */
interface Version {
  readonly numbers: readonly [bigint, bigint, bigint];
  readonly pre: readonly string[];
}

const NUMBER = "(?:0|[1-9][0-9]*)";
const PRE_PART = `(?:${NUMBER}|[0-9]*[A-Za-z-][0-9A-Za-z-]*)`;
const VERSION = new RegExp(
  `^(${NUMBER})\\.(${NUMBER})\\.(${NUMBER})(?:-(${PRE_PART}(?:\\.${PRE_PART})*))?(?:\\+[0-9A-Za-z-]+(?:\\.[0-9A-Za-z-]+)*)?$`,
);

/** Semantic Versioning 2.0.0 text, or `null`. */
export function readVersion(text: string): Version | null {
  const found = VERSION.exec(text);
  if (found === null) return null;
  return { numbers: [BigInt(found[1]!), BigInt(found[2]!), BigInt(found[3]!)], pre: found[4]?.split(".") ?? [] };
}

/** Precedence (semver.org, 11): negative when `a` comes before `b`. */
export function compareVersions(a: Version, b: Version): number {
  for (const at of [0, 1, 2] as const)
    if (a.numbers[at] !== b.numbers[at]) return a.numbers[at] < b.numbers[at] ? -1 : 1;
  if (a.pre.length === 0 || b.pre.length === 0) return Math.sign(b.pre.length) - Math.sign(a.pre.length);
  for (let at = 0; at < Math.max(a.pre.length, b.pre.length); at++) {
    const [left, right] = [a.pre[at], b.pre[at]];
    if (left === undefined) return -1;
    if (right === undefined) return 1;
    if (left === right) continue;
    const [leftIsNumber, rightIsNumber] = [/^[0-9]+$/.test(left), /^[0-9]+$/.test(right)];
    if (leftIsNumber && rightIsNumber) return BigInt(left) < BigInt(right) ? -1 : 1;
    if (leftIsNumber !== rightIsNumber) return leftIsNumber ? -1 : 1;
    return left < right ? -1 : 1;
  }
  return 0;
}
