/** A semantic version (semver.org 2.0.0). Build metadata has no order and is dropped. */
export interface Version {
  readonly core: readonly string[];
  /** Empty for a release, which is newer than its pre-releases. */
  readonly preRelease: readonly string[];
}

const SEMVER =
  /^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(?:-((?:0|[1-9]\d*|\d*[A-Za-z-][\dA-Za-z-]*)(?:\.(?:0|[1-9]\d*|\d*[A-Za-z-][\dA-Za-z-]*))*))?(?:\+[\dA-Za-z-]+(?:\.[\dA-Za-z-]+)*)?$/;

/** Longer text is refused, because the pattern above may backtrack within one identifier. */
const MAX_LENGTH = 256;

/** Parses a semantic version; `null` for other text. */
export function parseVersion(text: string): Version | null {
  const match = text.length <= MAX_LENGTH ? SEMVER.exec(text) : null;
  if (match === null) return null;
  const preRelease = match[4];
  return { core: match.slice(1, 4), preRelease: preRelease === undefined ? [] : preRelease.split(".") };
}

/** Precedence (semver.org §11): negative when `left` is older. */
export function compareVersions(left: Version, right: Version): number {
  const order = compareLists(left.core, right.core, compareNumbers);
  if (order !== 0) return order;
  if (left.preRelease.length === 0 || right.preRelease.length === 0)
    return right.preRelease.length - left.preRelease.length;
  return compareLists(left.preRelease, right.preRelease, compareIdentifiers);
}

/** Compares the first parts that differ. If none differ, the longer list is larger. */
function compareLists(
  left: readonly string[],
  right: readonly string[],
  compare: (left: string, right: string) => number,
): number {
  for (const [at, part] of left.entries()) {
    const other = right[at];
    if (other === undefined) return 1;
    const order = compare(part, other);
    if (order !== 0) return order;
  }
  return left.length - right.length;
}

function compareIdentifiers(left: string, right: string): number {
  const leftNumeric = isDigits(left);
  const rightNumeric = isDigits(right);
  if (leftNumeric && rightNumeric) return compareNumbers(left, right);
  if (leftNumeric !== rightNumeric) return leftNumeric ? -1 : 1;
  return left < right ? -1 : left > right ? 1 : 0;
}

/** Numbers have no leading zeros, so the longer one is larger. Comparing them as text keeps full precision. */
function compareNumbers(left: string, right: string): number {
  return left.length - right.length || (left < right ? -1 : left > right ? 1 : 0);
}

function isDigits(text: string): boolean {
  return /^\d+$/.test(text);
}
