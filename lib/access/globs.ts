/** What one position of a glob accepts. */
type Token =
  | { readonly kind: "star" }
  | { readonly kind: "any" }
  | { readonly kind: "one"; readonly code: number }
  | CharacterClass;

interface CharacterClass {
  readonly kind: "class";
  readonly negative: boolean;
  readonly codes: ReadonlySet<number>;
}

/** Tests a whole text. */
export type Glob = (text: string) => boolean;

/**
 * Compiles a glob, anchored at both ends: `*` any run, `?` one character; with `classes` also `[ab]` and
 * `[!ab]`. All else is literal, an unclosed or empty bracket too. Characters are code points. Time is at
 * most |pattern| × |text|: there is one point to return to, never a stack of them.
 */
export function compileGlob(pattern: string, classes: boolean): Glob {
  if (!pattern.includes("?") && !(classes && pattern.includes("["))) {
    const parts = pattern.split("*");
    if (parts.length <= 3) return simpleGlob(parts);
  }
  const tokens = tokenise(pattern, classes);
  return (text) => run(tokens, text);
}

/** The shapes people write: `exact`, `prefix*`, `*suffix`, `*inside*`, `a*b`. */
function simpleGlob(parts: readonly string[]): Glob {
  const [first = "", second, third] = parts;
  if (second === undefined) return (text) => text === first;
  if (third === undefined) {
    if (second === "") return (text) => text.startsWith(first);
    if (first === "") return (text) => text.endsWith(second);
    return (text) => text.length >= first.length + second.length && text.startsWith(first) && text.endsWith(second);
  }
  return (text) => {
    const from = first.length;
    const to = text.length - third.length;
    if (from > to || !text.startsWith(first) || !text.endsWith(third)) return false;
    const at = text.indexOf(second, from);
    return at >= 0 && at + second.length <= to;
  };
}

function tokenise(pattern: string, classes: boolean): Token[] {
  const tokens: Token[] = [];
  for (let at = 0; at < pattern.length;) {
    const characterClass = classes && pattern[at] === "[" ? readClass(pattern, at) : null;
    const code = pattern.codePointAt(at) ?? 0;
    if (characterClass !== null) {
      tokens.push(characterClass.token);
      at = characterClass.end;
      continue;
    }
    if (pattern[at] !== "*") tokens.push(pattern[at] === "?" ? { kind: "any" } : { kind: "one", code });
    else if (tokens.at(-1)?.kind !== "star") tokens.push({ kind: "star" });
    at += code > 0xffff ? 2 : 1;
  }
  return tokens;
}

function readClass(pattern: string, start: number): { token: CharacterClass; end: number } | null {
  const close = pattern.indexOf("]", start + 1);
  const negative = pattern[start + 1] === "!" && close > start + 2;
  const inside = pattern.slice(start + (negative ? 2 : 1), close);
  if (close < 0 || inside === "") return null;
  return {
    token: { kind: "class", negative, codes: new Set(Array.from(inside, (char) => char.codePointAt(0) ?? 0)) },
    end: close + 1,
  };
}

function run(tokens: readonly Token[], text: string): boolean {
  let at = 0;
  let token = 0;
  let starToken = -1;
  let starAt = 0;
  while (at < text.length) {
    const code = text.codePointAt(at) ?? 0;
    const current = tokens[token];
    if (current?.kind === "star") {
      starToken = token;
      starAt = at;
      token += 1;
    } else if (current !== undefined && accepts(current, code)) {
      token += 1;
      at += code > 0xffff ? 2 : 1;
    } else if (starToken >= 0) {
      starAt += (text.codePointAt(starAt) ?? 0) > 0xffff ? 2 : 1;
      at = starAt;
      token = starToken + 1;
    } else return false;
  }
  while (tokens[token]?.kind === "star") token += 1;
  return token === tokens.length;
}

function accepts(token: Exclude<Token, { kind: "star" }>, code: number): boolean {
  if (token.kind === "any") return true;
  return token.kind === "one" ? token.code === code : token.codes.has(code) !== token.negative;
}
