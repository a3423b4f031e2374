/** One position of a glob: any run of characters, or the code points that it accepts. */
type Token = "run" | ((code: number) => boolean);

/** A token, and the position in the pattern after it. */
interface Read {
  readonly token: Token;
  readonly end: number;
}

/** Tests a whole text against a glob. */
type Glob = (text: string) => boolean;

/**
 * Compiles a glob, anchored at both ends: `*` any run, `?` one character; with `classes` also `[ab]` and `[!ab]`. All
 * else is literal, an unclosed or empty bracket too. Characters are code points.
 * Time is at most |pattern| × |text|: the matcher backtracks to one point, never to a stack of them.
 */
export function compileGlob(pattern: string, classes: boolean): Glob {
  if (!pattern.includes("?") && !(classes && pattern.includes("["))) {
    const parts = pattern.split("*");
    if (parts.length <= 3) return simpleGlob(parts);
  }
  const tokens = tokenise(pattern, classes);
  return (text) => run(tokens, text);
}

/** The most common shapes: `exact`, `prefix*`, `*suffix`, `*inside*`, `a*b`. */
function simpleGlob(parts: readonly string[]): Glob {
  const [first = "", second, third] = parts;
  if (second === undefined) return (text) => text === first;
  if (third === undefined)
    return (text) => text.length >= first.length + second.length && text.startsWith(first) && text.endsWith(second);
  return (text) => {
    const from = first.length;
    const to = text.length - third.length;
    if (!text.startsWith(first) || !text.endsWith(third)) return false;
    const at = text.indexOf(second, from);
    return at >= 0 && at + second.length <= to;
  };
}

function tokenise(pattern: string, classes: boolean): Token[] {
  const tokens: Token[] = [];
  for (let at = 0; at < pattern.length;) {
    const { token, end } = (classes ? readClass(pattern, at) : null) ?? readLetter(pattern, at);
    tokens.push(token);
    at = end;
  }
  return tokens;
}

function readLetter(pattern: string, at: number): Read {
  const letter = codeAt(pattern, at);
  const end = at + width(letter);
  if (pattern[at] === "*") return { token: "run", end };
  return { token: pattern[at] === "?" ? () => true : (code) => code === letter, end };
}

function readClass(pattern: string, at: number): Read | null {
  const close = pattern.indexOf("]", at + 1);
  if (pattern[at] !== "[" || close === -1) return null;
  const negative = pattern[at + 1] === "!" && close > at + 2;
  const inside = pattern.slice(at + (negative ? 2 : 1), close);
  if (inside === "") return null;
  const codes = new Set(Array.from(inside, (letter) => codeAt(letter, 0)));
  return { token: (code) => codes.has(code) !== negative, end: close + 1 };
}

function run(tokens: readonly Token[], text: string): boolean {
  let at = 0;
  let token = 0;
  let runToken = -1;
  let runEnd = 0;
  while (at < text.length) {
    const code = codeAt(text, at);
    const current = tokens[token];
    if (current === "run") {
      runToken = token;
      runEnd = at;
      token += 1;
    } else if (current?.(code) === true) {
      token += 1;
      at += width(code);
    } else if (runToken >= 0) {
      runEnd += width(codeAt(text, runEnd));
      at = runEnd;
      token = runToken + 1;
    } else return false;
  }
  while (tokens[token] === "run") token += 1;
  return token === tokens.length;
}

function codeAt(text: string, at: number): number {
  return text.codePointAt(at) ?? 0;
}

function width(code: number): number {
  return code > 0xffff ? 2 : 1;
}
