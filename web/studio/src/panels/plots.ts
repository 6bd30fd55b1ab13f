// The plots of the desk: chosen from what the motion has, expressions of columns, the energy ledger,
// and the same of runs that were kept; all over one stretch of time.
import { Data } from '../../../stage/data';
import { columnLine, expressionLine, keptLine, ledgerLines } from '../../../stage/lines';
import { Line, Plot } from '../../../stage/plot';
import { TimeWindow } from '../../../stage/window';
import { byId, make, toast } from '../page/dom';

const mostLines = 14, // of a plot: more cannot be told apart, and take long to paint
  mostPlots = 4, // at first
  ledger = 'Energy ledger [J]';

export interface KeptRun {
  title: string;
  data: Data;
}

export class Plots {
  private data?: Data;
  private plots = new Map<string, Plot>(); // by title and unit
  private chosen?: Set<string>; // plots that the user has added or removed, once he did
  private readonly expressions: string[] = [];
  private kept: KeptRun[] = [];
  readonly window = new TimeWindow(() => this.windowChanged());

  constructor(
    private readonly seek: (t: number) => void,
    private readonly again: () => void,
  ) {
    byId<HTMLSelectElement>('add-plot').addEventListener('change', (e) => {
      const choice = e.target as HTMLSelectElement;
      if (choice.value !== '') this.choose(choice.value, true);
      choice.value = '';
    });
    const own = byId<HTMLInputElement>('own-plot');
    own.addEventListener('change', () => {
      const text = own.value.trim();
      if (text === '' || !this.data) return;
      try {
        expressionLine(this.data, text);
      } catch (problem) {
        return toast(`This cannot be plotted: ${(problem as Error).message}.`);
      }
      if (!this.expressions.includes(text)) this.expressions.push(text);
      own.value = '';
      this.choose(text, true);
    });
    byId('plot-in').addEventListener('click', () => this.window.zoom(0.5, (this.window.from + this.window.to) / 2));
    byId('plot-out').addEventListener('click', () => this.window.zoom(2, (this.window.from + this.window.to) / 2));
    byId('plot-all').addEventListener('click', () => this.window.showAll());
  }

  setData(data: Data): void {
    this.data = data;
    this.window.setWhole(data.start, data.end);
    this.showAll();
    this.windowChanged();
  }
  setKept(kept: KeptRun[]): void {
    this.kept = kept;
    if (this.data) this.showAll();
    this.again();
  }
  clear(): void {
    this.chosen = undefined;
    this.expressions.length = 0;
    this.kept = [];
  }
  show(t: number, row: number, share: number): void {
    this.window.follow(t);
    for (const plot of this.plots.values()) plot.show(t, row, share);
  }
  private windowChanged(): void {
    byId('plot-window').textContent = this.window.text;
    byId('plot-all').hidden = this.window.isWhole;
    byId<HTMLButtonElement>('plot-out').disabled = this.window.isWhole;
    for (const plot of this.plots.values()) plot.draw();
  }

  private choose(key: string, on: boolean): void {
    this.chosen ??= new Set(this.plots.keys());
    if (on) this.chosen.add(key);
    else this.chosen.delete(key);
    this.showAll();
    this.again();
  }
  private showAll(): void {
    const { about } = this.data!,
      moves = this.data!.end > this.data!.start && about.bodies.length > 0;
    const select = byId<HTMLSelectElement>('add-plot');
    select.replaceChildren(new Option('choose …', ''));
    this.plots.clear();
    if (moves) {
      for (const p of about.plots) {
        const key = `${p.title} [${p.unit}]`;
        select.add(new Option(key, key));
        if (this.chosen ? this.chosen.has(key) : p.shown && this.plots.size < mostPlots) this.add(key, p.title, p.unit, p.columns);
      }
      if (about.ledger.length > 0) select.add(new Option(ledger, ledger));
      if (this.chosen?.has(ledger)) this.addPlot(ledger, 'Energy ledger', 'J', ledgerLines(this.data!), true);
      for (const text of this.expressions) if (this.chosen?.has(text)) this.addExpression(text);
    }
    for (const id of ['plot-tools', 'plot-zoom']) byId(id).hidden = !moves || (this.plots.size === 0 && !this.chosen && !about.plots.some((p) => p.shown));
    byId('plot-list').replaceChildren(...(this.plots.size > 0 || this.chosen ? [...this.plots.values()].map((p) => p.element) : [make('p', { class: 'what' }, moves ? 'Nothing changes in this motion: add a motor, or a weight, and run.' : 'Nothing has moved yet: plots and events follow when the mechanism runs.')]));
  }
  private add(key: string, title: string, unit: string, columns: number[]): void {
    const data = this.data!,
      seen = columns.slice(0, mostLines);
    const lines = seen.map((c) => columnLine(data, c));
    for (const run of this.kept) lines.push(...seen.map((c) => keptLine(data, run.data, c, run.title)).filter((l): l is Line => l !== undefined));
    this.addPlot(key, columns.length > mostLines ? `${title} (${mostLines} of ${columns.length})` : title, unit, lines);
  }
  private addExpression(text: string): void {
    try {
      const { line, unit } = expressionLine(this.data!, text);
      this.addPlot(text, text, unit, [line]);
    } catch {
      // The model has no such column any more; it comes back with it.
    }
  }
  private addPlot(key: string, title: string, unit: string, lines: Line[], stacked = false): void {
    const zoomTo = (from: number, to: number) => (to > from ? this.window.show(from, to) : this.window.showAll());
    this.plots.set(key, new Plot(this.data!, this.window, { title, unit, lines, stacked, height: 150, zoomTo, remove: () => this.choose(key, false) }, this.seek));
  }
}
