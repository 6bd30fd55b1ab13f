// Expressions of columns, as "abs(rod.omega) - 2*crank.omega": parsed once, evaluated at rows. No
// code is made of the text.
export type Evaluate = (lookup: (name: string) => number) => number;
export interface Expression {
  names: string[]; // that it uses
  evaluate: Evaluate;
}

const functions: Record<string, (...v: number[]) => number> = {
  abs: Math.abs, sqrt: Math.sqrt, sin: Math.sin, cos: Math.cos, tan: Math.tan, atan2: Math.atan2, hypot: Math.hypot,
  exp: Math.exp, log: Math.log, min: Math.min, max: Math.max, sign: Math.sign, deg: (v) => (v * 180) / Math.PI,
};
const constants: Record<string, number> = { pi: Math.PI };
const token = /\s*(?:(\d+\.?\d*(?:e[-+]?\d+)?|\.\d+(?:e[-+]?\d+)?)|([A-Za-z_][\w#]*(?:\.[\w#]+)*)|(\*\*|[-+*/^(),]))/gy;
const deepest = 100; // brackets

class Parser {
  private readonly words: { number?: number; name?: string; sign?: string }[] = [];
  private at = 0;
  readonly names = new Set<string>();

  constructor(
    text: string,
    private readonly known: (name: string) => boolean,
  ) {
    token.lastIndex = 0;
    const end = text.trimEnd().length;
    while (token.lastIndex < end) {
      const from = token.lastIndex,
        found = token.exec(text);
      if (!found) throw new Error(`cannot read "${text.slice(from).trim().slice(0, 20)}"`);
      if (found[1] !== undefined) this.words.push({ number: Number(found[1]) });
      else if (found[2] !== undefined) this.words.push({ name: found[2] });
      else this.words.push({ sign: found[3] === '**' ? '^' : found[3] });
    }
  }
  whole(): Evaluate {
    const out = this.sum(0);
    if (this.at < this.words.length) throw new Error('there is more than one expression');
    return out;
  }
  private takes(sign: string): boolean {
    if (this.words[this.at]?.sign !== sign) return false;
    ++this.at;
    return true;
  }
  private sum(depth: number): Evaluate {
    if (depth > deepest) throw new Error('too many brackets');
    let left = this.product(depth);
    for (;;) {
      const a = left;
      if (this.takes('+')) {
        const b = this.product(depth);
        left = (l) => a(l) + b(l);
      } else if (this.takes('-')) {
        const b = this.product(depth);
        left = (l) => a(l) - b(l);
      } else return left;
    }
  }
  private product(depth: number): Evaluate {
    let left = this.signed(depth);
    for (;;) {
      const a = left;
      if (this.takes('*')) {
        const b = this.signed(depth);
        left = (l) => a(l) * b(l);
      } else if (this.takes('/')) {
        const b = this.signed(depth);
        left = (l) => a(l) / b(l);
      } else return left;
    }
  }
  private signed(depth: number): Evaluate {
    if (depth > deepest) throw new Error('too many brackets');
    if (this.takes('-')) {
      const a = this.signed(depth + 1);
      return (l) => -a(l);
    }
    const base = this.atom(depth);
    if (!this.takes('^')) return base;
    const power = this.signed(depth + 1);
    return (l) => base(l) ** power(l);
  }
  private atom(depth: number): Evaluate {
    const word = this.words[this.at++];
    if (!word) throw new Error('something is missing at the end');
    if (word.number !== undefined) return () => word.number!;
    if (word.sign === '(') {
      const inside = this.sum(depth + 1);
      if (!this.takes(')')) throw new Error('a bracket is not closed');
      return inside;
    }
    const { name } = word;
    if (name === undefined) throw new Error(`"${word.sign}" is not expected here`);
    if (this.known(name)) {
      this.names.add(name);
      return (l) => l(name);
    }
    if (name in constants) return () => constants[name];
    if (!Object.keys(functions).includes(name)) throw new Error(`there is no column ${name}`);
    return this.call(name, depth);
  }
  private call(name: string, depth: number): Evaluate {
    if (!this.takes('(')) throw new Error(`${name} needs parentheses`);
    const values = [this.sum(depth + 1)];
    while (this.takes(',')) values.push(this.sum(depth + 1));
    if (!this.takes(')')) throw new Error('a bracket is not closed');
    const apply = functions[name];
    return (l) => apply(...values.map((v) => v(l)));
  }
}

// Throws an error that says what cannot be read.
export function parseExpression(text: string, known: (name: string) => boolean): Expression {
  const parser = new Parser(text, known),
    evaluate = parser.whole();
  return { names: [...parser.names], evaluate };
}
