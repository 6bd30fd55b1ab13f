// Lines of plots: columns, expressions of columns, the terms of the energy ledger, and the same of a
// run that was kept.
import { Data } from './data';
import { parseExpression } from './expression';
import { Line } from './plot';

const mostTerms = 6; // of the energy ledger, besides the others together

export function columnLine(data: Data, column: number): Line {
  return { name: data.about.columns[column].name, series: data.series(column), digits: data.digits(column), value: (row, share) => data.at(column, row, share) };
}

// An expression of columns at every row. Throws an error that says what cannot be read.
export function expressionLine(data: Data, text: string): { line: Line; unit: string } {
  const { names, evaluate } = parseExpression(text, (name) => name === 't' || data.find(name) >= 0);
  const columns = new Map(names.filter((n) => n !== 't').map((n) => [n, data.find(n)]));
  if (names.length === 0) throw new Error('it names no column');
  const value = (row: number, share: number) => {
    const step = row + 1 < data.time.length ? data.time[row + 1] - data.time[row] : 0;
    return evaluate((name) => (name === 't' ? data.time[row] + share * step : data.at(columns.get(name)!, row, share)));
  };
  const v = Float64Array.from(data.time, (_, row) => value(row, 0));
  const units = new Set([...columns.values()].map((c) => data.about.columns[c].unit));
  return { line: { name: text, series: { t: data.time, v }, digits: 5, value }, unit: columns.size === 1 && names[0] === text.trim() ? [...units][0] : 'SI' };
}

// A line of another run, read at the times of this one.
export function keptLine(data: Data, kept: Data, column: number, title: string): Line | undefined {
  const other = kept.find(data.about.columns[column].name);
  if (other < 0) return undefined;
  const value = (row: number, share: number) => {
    const step = row + 1 < data.time.length ? data.time[row + 1] - data.time[row] : 0,
      t = data.time[row] + share * step;
    if (t < kept.start || t > kept.end) return NaN;
    const at = kept.rowAt(t),
      length = at + 1 < kept.time.length ? kept.time[at + 1] - kept.time[at] : 0;
    return kept.at(other, at, length > 0 ? (t - kept.time[at]) / length : 0);
  };
  return { name: `${data.about.columns[column].name} (${title})`, series: kept.series(other), digits: kept.digits(other), value, kept: true };
}

// The largest terms each, the others together.
export function ledgerLines(data: Data): Line[] {
  const terms = data.about.ledger.map((term) => {
    const line: Line = { ...columnLine(data, term.column), name: term.name, sign: term.sign };
    const first = line.value(0, 0);
    let size = 0;
    for (let k = 0; k <= 500; ++k) size = Math.max(size, Math.abs(line.value(Math.round((k / 500) * (data.time.length - 1)), 0) - first) || 0);
    return { line, size };
  });
  if (terms.length === 0) return [];
  terms.sort((a, b) => b.size - a.size);
  const large = terms.filter((term, i) => i < mostTerms && term.size > 0.002 * terms[0].size),
    rest = terms.slice(large.length),
    lines = large.map((term) => term.line);
  if (rest.length > 0)
    lines.push({
      name: 'others',
      series: lines[0].series,
      digits: 4,
      value: (row, share) => rest.reduce((sum, term) => sum + (term.line.sign as number) * term.line.value(row, share), 0),
    });
  return lines;
}
