// Lengths as the text of a model writes them: in the units of the file, rounded to what a pixel
// resolves; and what may be changed where a coordinate is written as an expression.
import { Edit, FieldOfElement, ModelElement, ParameterInfo } from '../engine/protocol';

const plain = /^[-+]?[\d_.]+(e[-+]?\d+)?$/i;
const metres: Record<string, number> = { m: 1, cm: 1e-2, mm: 1e-3, um: 1e-6, in: 0.0254, ft: 0.3048 };

// The unit of plain numbers of length in a file.
export function lengthUnit(elements: ModelElement[]): string {
  const unit = elements.find((e) => e.path === 'units')?.fields?.find((f) => f.key === 'length')?.text;
  return unit !== undefined && unit in metres ? unit : 'm';
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

// A length that is written as a plain number or with a unit, m; else NaN.
export function lengthIn1(item: { source?: string; text?: string } | undefined, unit: string): number {
  if (!item) return NaN;
  if (plain.test(item.source ?? '')) return Number(item.source!.replace(/_/g, '')) * metres[unit];
  return lengthOf(item.text ?? '', '');
}
// What people type: "25", "25 mm", m; NaN where it is no length.
export function lengthOf(text: string, unit: string): number {
  const quantity = /^\s*([-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?)\s*([a-z]*)\s*$/i.exec(text),
    size = quantity ? metres[quantity[2] || unit] : undefined;
  return quantity && size !== undefined ? Number(quantity[1]) * size : NaN;
}
// A place that is written as two plain numbers or lengths, m.
export function placeIn(items: { source: string; text?: string }[] | undefined, unit: string): { x: number; y: number } | undefined {
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

export type Way = { locked: string } | { edit: (value: number, step: number) => Edit };

// How a coordinate that is written as `item` can be given another value (m).
export function wayToChange(path: string, item: { source: string; text?: string } | undefined, elements: ModelElement[], parameters: ParameterInfo[]): Way {
  if (!item) return { locked: 'it is not written in the text' };
  const unit = lengthUnit(elements);
  if (plain.test(item.source)) return { edit: (value, step) => ({ kind: 'set', path, value: lengthIn(value, unit, step) }) };
  const text = (item.text ?? '').trim();
  const quantity = /^[-+]?[\d.]+(?:e[-+]?\d+)?\s*([a-z]+)$/i.exec(text);
  if (quantity && quantity[1] in metres) return { edit: (value, step) => ({ kind: 'set', path, value: JSON.stringify(`${lengthIn(value, quantity[1], step)} ${quantity[1]}`) }) };
  const product = /^(-?)(?:([\d.]+)\s*\*\s*)?([A-Za-z_]\w*)$/.exec(text);
  const parameter = product && parameters.find((p) => p.name === product[3] && !p.input);
  if (!parameter || !product) return { locked: `it is the expression ${text || item.source}` };
  const factor = (product[1] ? -1 : 1) * Number(product[2] ?? 1),
    written = elements.find((e) => e.path === `parameters.${parameter.name}`);
  const source: FieldOfElement | undefined = written?.fields?.find((f) => f.key === 'value') ?? (written && { key: '', at: written.at, source: written.source });
  const own = /^"?[-+]?[\d.]+(?:e[-+]?\d+)?\s*([a-z]*)"?$/i.exec(source?.source ?? '');
  if (!own) return { locked: `the parameter ${parameter.name} is itself an expression` };
  const parameterUnit = own[1] in metres ? own[1] : unit;
  return {
    edit: (value, step) => ({
      kind: 'set',
      path: `parameters.${parameter.name}`,
      value: own[1] ? JSON.stringify(`${lengthIn(value / factor, parameterUnit, step)} ${parameterUnit}`) : lengthIn(value / factor, parameterUnit, step),
    }),
  };
}
