/** The value of an expression, or why it has none. */
type Evaluation = { readonly value: number } | { readonly problem: string };

const CONSTANTS: Readonly<Record<string, number>> = { pi: Math.PI, e: Math.E };
const FUNCTIONS: Readonly<Record<string, (...values: number[]) => number>> = {
  abs: Math.abs,
  ceil: Math.ceil,
  floor: Math.floor,
  round: Math.round,
  sqrt: Math.sqrt,
  min: Math.min,
  max: Math.max,
  ln: Math.log,
  log10: Math.log10,
  exp: Math.exp,
  sin: Math.sin,
  cos: Math.cos,
  tan: Math.tan,
};
const MAX_DEPTH = 64;
const TOKEN = /\s*(\d+(?:\.\d+)?(?:[eE][+-]?\d{1,3})?|[A-Za-z_][A-Za-z0-9_]*|[-+*/%^(),])/y;

/** Evaluates arithmetic by recursive descent; `^` binds to the right and tighter than a sign before it. */
export function evaluateExpression(text: string): Evaluation {
  try {
    const value = new Parser(tokensOf(text)).whole();
    return Number.isFinite(value) ? { value } : { problem: "The result is not a finite number." };
  } catch (error) {
    if (error instanceof ExpressionError) return { problem: error.message };
    throw error;
  }
}

class ExpressionError extends Error {}

function tokensOf(text: string): string[] {
  const tokens: string[] = [];
  const end = text.trimEnd().length;
  TOKEN.lastIndex = 0;
  let at = 0;
  while (at < end) {
    TOKEN.lastIndex = at;
    const token = TOKEN.exec(text)?.[1];
    if (token === undefined) throw new ExpressionError(`Unexpected text at position ${at + 1}.`);
    tokens.push(token);
    at = TOKEN.lastIndex;
  }
  return tokens;
}

class Parser {
  readonly #tokens: readonly string[];
  #at = 0;
  #depth = 0;

  constructor(tokens: readonly string[]) {
    this.#tokens = tokens;
  }

  whole(): number {
    const value = this.#sum();
    if (this.#at < this.#tokens.length) throw new ExpressionError(`Unexpected \`${this.#tokens[this.#at]}\`.`);
    return value;
  }

  #sum(): number {
    let value = this.#product();
    for (let sign = this.#take("+", "-"); sign !== null; sign = this.#take("+", "-"))
      value += (sign === "+" ? 1 : -1) * this.#product();
    return value;
  }

  #product(): number {
    let value = this.#signed();
    for (let sign = this.#take("*", "/", "%"); sign !== null; sign = this.#take("*", "/", "%")) {
      const right = this.#signed();
      if (sign !== "*" && right === 0) throw new ExpressionError("Division by zero.");
      value = sign === "*" ? value * right : sign === "/" ? value / right : value % right;
    }
    return value;
  }

  #signed(): number {
    return this.#deeper(() => {
      const sign = this.#take("+", "-");
      if (sign === null) return this.#power();
      return (sign === "-" ? -1 : 1) * this.#signed();
    });
  }

  #power(): number {
    const base = this.#atom();
    return this.#take("^") === null ? base : base ** this.#signed();
  }

  #atom(): number {
    const token = this.#tokens[this.#at];
    if (token === undefined) throw new ExpressionError("The expression ends too early.");
    this.#at += 1;
    if (token === "(") return this.#closed(this.#sum());
    if (/^\d/.test(token)) return Number(token);
    if (Object.hasOwn(CONSTANTS, token)) return CONSTANTS[token] ?? NaN;
    const run = Object.hasOwn(FUNCTIONS, token) ? FUNCTIONS[token] : undefined;
    if (run === undefined) throw new ExpressionError(`Unexpected \`${token}\`.`);
    return run(...this.#parameters(token));
  }

  #parameters(name: string): number[] {
    if (this.#take("(") === null) throw new ExpressionError(`Write parentheses after \`${name}\`.`);
    const values = [this.#sum()];
    while (this.#take(",") !== null) values.push(this.#sum());
    this.#closed(0);
    if (values.length > 1 && name !== "min" && name !== "max")
      throw new ExpressionError(`\`${name}\` takes one value.`);
    return values;
  }

  #closed(value: number): number {
    if (this.#take(")") === null) throw new ExpressionError("A closing parenthesis is missing.");
    return value;
  }

  #take(...wanted: readonly string[]): string | null {
    const token = this.#tokens[this.#at];
    if (token === undefined || !wanted.includes(token)) return null;
    this.#at += 1;
    return token;
  }

  /** Bounds nesting, so that no expression can exhaust the stack. */
  #deeper(read: () => number): number {
    this.#depth += 1;
    if (this.#depth > MAX_DEPTH) throw new ExpressionError(`Nested deeper than ${MAX_DEPTH} levels.`);
    const value = read();
    this.#depth -= 1;
    return value;
  }
}
