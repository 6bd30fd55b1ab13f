// What is known of one body, contact or other element at the time that is shown: its columns.
import { Data, numberText } from './data';
import { readable } from './units';

export class Inspector {
  private data?: Data;
  private name = '';
  private rows: { column: number; value: HTMLElement; digits: number; factor: number }[] = [];

  constructor(private readonly box: HTMLElement) {}

  setData(data: Data): void {
    this.data = data;
    this.show(this.name);
  }
  // The columns "NAME.x" of an element, and its look as a title; '' closes it.
  show(name: string): boolean {
    this.name = name;
    this.rows = [];
    const { columns } = this.data?.about ?? { columns: [] };
    const own = columns.map((c, i) => ({ ...c, i })).filter((c) => c.name.startsWith(name + '.') && !c.name.slice(name.length + 1).includes('.'));
    this.box.hidden = name === '' || own.length === 0;
    if (this.box.hidden) return false;
    const title = document.createElement('h3');
    title.textContent = name;
    const list = document.createElement('dl');
    for (const c of own) {
      const term = document.createElement('dt'),
        value = document.createElement('dd');
      const { v } = this.data!.series(c.i);
      let largest = 0;
      for (let k = 0; k < v.length; k += Math.max(1, v.length >> 9)) largest = Math.max(largest, Math.abs(v[k]) || 0);
      const { factor, unit } = readable(c.unit, largest);
      term.textContent = `${c.name.slice(name.length + 1)}${unit && unit !== '1' ? ` [${unit}]` : ''}`;
      value.dataset.column = c.name;
      this.rows.push({ column: c.i, value, digits: this.data!.digits(c.i), factor });
      list.append(term, value);
    }
    this.box.replaceChildren(title, list);
    return true;
  }
  update(row: number, share: number): void {
    for (const r of this.rows) r.value.textContent = numberText(r.factor * this.data!.at(r.column, row, share), r.digits);
  }
}
