// Lengths as the text of a model writes them: in the units of the file, rounded to what a pixel
// resolves; and what may be changed where a coordinate is written as an expression.
import { Edit, ModelElement, Written } from '../engine/protocol';

const plain = /^[-+]?[\d_.]+(e[-+]?\d+)?$/i;
const metres: Record<string, number> = { m: 1, cm: 1e-2, mm: 1e-3, um: 1e-6, in: 0.0254, ft: 0.3048 };

export const gridPixels = 9; // at least, between places that clicks snap to

// The unit of plain numbers of length in a file.
export function lengthUnit(elements: ModelElement[]): string {
  const unit = elements.find((e) => e.path === 'units')?.fields?.find((f) => f.key === 'length')?.text;
  return unit !== undefined && unit in metres ? unit : 'm';
}
export const metresOf = (unit: string) => metres[unit];
// To 1, 2 or 5 times a power of ten.
export function roundUp(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value));
  return power * (value <= power ? 1 : value <= 2 * power ? 2 : value <= 5 * power ? 5 : 10);
}
// Whether a body has a mass of its own, or by the outline, thickness and density of a profile.
export function hasMass(body: ModelElement, elements: ModelElement[]): boolean {
  const has = (e: ModelElement, key: string) => e.fields?.some((f) => f.key === key) ?? false;
  return has(body, 'mass') || elements.some((e) => e.section === 'profile' && e.fields?.some((f) => f.key === 'body' && f.text === body.name) && has(e, 'thickness') && has(e, 'density'));
}
// A length in a unit, rounded to a step (m).
export function lengthIn(value: number, unit: string, step: number): string {
  const size = metres[unit],
    digits = Math.max(0, Math.min(12, -Math.floor(Math.log10(step / size) + 1e-9)));
  const text = (value / size).toFixed(digits);
  const short = text.includes('.') ? text.replace(/\.?0+$/, '') : text;
  return short === '-0' ? '0' : short;
}

// A length that is written as a plain number, with a unit, or as an expression of parameters, m; else
// NaN.
export function lengthIn1(item: Written | undefined, unit: string): number {
  if (!item) return NaN;
  if (item.value !== undefined) return item.bare ? item.value * metres[unit] : item.value;
  if (plain.test(item.source ?? '')) return Number(item.source!.replace(/_/g, '')) * metres[unit];
  return lengthOf(item.text ?? '', '');
}
// What people type: "25", "25 mm", m; NaN where it is no length.
export function lengthOf(text: string, unit: string): number {
  const quantity = /^\s*([-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?)\s*([a-z]*)\s*$/i.exec(text),
    size = quantity ? metres[quantity[2] || unit] : undefined;
  return quantity && size !== undefined ? Number(quantity[1]) * size : NaN;
}
// A place that is written as two lengths, m.
export function placeIn(items: Written[] | undefined, unit: string): { x: number; y: number } | undefined {
  const values = (items ?? []).map((item) => lengthIn1(item, unit));
  return values.length === 2 && values.every(Number.isFinite) ? { x: values[0], y: values[1] } : undefined;
}
// The same value with the other sign, as TOML.
export function negated(source: string): string {
  const text = source.trim();
  if (plain.test(text)) return text.startsWith('-') ? text.slice(1) : /^[+]?0*\.?0*$/.test(text) ? text : '-' + text.replace(/^\+/, '');
  if (/^".*"$/.test(text)) return /^"-(?:[\w.]+\s*\w*)"$/.test(text) ? '"' + text.slice(2) : `"-(${text.slice(1, -1)})"`;
  return text;
}

// How a number of the text can be given another value (m), and by which parameter.
export type Way = { locked: string } | { edit: (value: number, step: number) => Edit; parameter?: string };

export function wayToChange(path: string, item: Written | undefined, elements: ModelElement[]): Way {
  if (!item) return { locked: 'it is not written in the text' };
  const unit = lengthUnit(elements);
  if (plain.test(item.source ?? '')) return { edit: (value, step) => ({ kind: 'set', path, value: lengthIn(value, unit, step) }) };
  const text = (item.text ?? '').trim();
  const quantity = /^[-+]?[\d.]+(?:e[-+]?\d+)?\s*([a-z]+)$/i.exec(text);
  if (quantity && quantity[1] in metres) return { edit: (value, step) => ({ kind: 'set', path, value: JSON.stringify(`${lengthIn(value, quantity[1], step)} ${quantity[1]}`) }) };
  const [parameter, ...others] = item.uses ?? [];
  if (!parameter || others.length > 0) return { locked: `it is the expression ${text || item.source}${others.length > 0 ? ` of ${others.length + 1} parameters` : ''}` };
  const written = elements.find((e) => e.path === `parameters.${parameter}`),
    source = written?.fields?.find((f) => f.key === 'value')?.source ?? written?.source ?? '';
  if (!/^"?[-+]?[\d_.]+(?:e[-+]?\d+)?\s*[^"\d()*+-]*"?$/i.test(source)) return { locked: `the parameter ${parameter} is itself an expression` };
  return { edit: (value, step) => ({ kind: 'move', path, to: value, step }), parameter };
}
// The edits that bring two coordinates to new values. Where both follow from one parameter, the one
// that moves farther decides.
export function editsOf(ways: Way[], values: number[], changes: number[], step: number): Edit[] {
  const moved = ways.flatMap((way, i) => ('locked' in way || Math.abs(changes[i]) < step / 2 ? [] : [{ way, change: Math.abs(changes[i]), value: values[i] }])).sort((a, b) => b.change - a.change);
  return moved.filter(({ way }, i) => way.parameter === undefined || moved.findIndex((m) => m.way.parameter === way.parameter) === i).map(({ way, value }) => way.edit(value, step));
}
// The value at a path of keys and indices below an element.
export function writtenAt(element: ModelElement | undefined, path: string): Written | undefined {
  if (!element || !path.startsWith(element.path + '.')) return undefined;
  return path
    .slice(element.path.length + 1)
    .split('.')
    .reduce<Written | undefined>((at, key) => at?.fields?.find((f) => f.key === key) ?? at?.items?.[Number(key)], element);
}
