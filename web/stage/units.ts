// Units that fit the size of what is shown: 0.00021 m is 0.21 mm.
const prefixes: [number, string][] = [[1e9, 'G'], [1e6, 'M'], [1e3, 'k'], [1, ''], [1e-3, 'm'], [1e-6, 'µ'], [1e-9, 'n']];
const scalable = /^(m|N|J|W|s|Pa)(?=$|[ /])/; // units that take a prefix, at their head

export interface Readable {
  factor: number; // of the numbers
  unit: string;
}
// Numbers from 0.1 to 10,000 are readable as they are.
export function readable(unit: string, largest: number): Readable {
  if (!scalable.test(unit) || !(largest > 0) || (largest >= 0.1 && largest < 1e4)) return { factor: 1, unit };
  const [size, prefix] = prefixes.find(([p]) => largest >= p) ?? prefixes[prefixes.length - 1];
  return { factor: 1 / size, unit: prefix + unit };
}
