// The plots of a report: those chosen, expressions of columns, the energy ledger; all over one
// stretch of time.
import { Data } from '../../stage/data';
import { columnLine, expressionLine, ledgerLines } from '../../stage/lines';
import { Line, Plot } from '../../stage/plot';
import { TimeWindow } from '../../stage/window';

const element = <T extends HTMLElement>(id: string) => document.getElementById(id) as T;

export class ReportPlots {
  private readonly plots = new Set<Plot>();
  readonly window: TimeWindow;

  constructor(
    private readonly data: Data,
    private readonly seek: (t: number) => void,
    private readonly redraw: () => void,
  ) {
    this.window = new TimeWindow(() => this.windowChanged());
    this.window.setWhole(data.start, data.end);
    this.addPlots();
    this.addLedger();
  }

  show(t: number, row: number, share: number): void {
    this.window.follow(t);
    for (const plot of this.plots) plot.show(t, row, share);
  }
  private windowChanged(): void {
    element('window').textContent = this.window.text;
    element<HTMLButtonElement>('zoom-out').disabled = element('zoom-all').hidden = this.window.isWhole;
    for (const plot of this.plots) plot.draw();
  }

  private addPlots(): void {
    const { plots } = this.data.about;
    if (plots.length === 0) return;
    element('plots').hidden = false;
    element('zoom-all').addEventListener('click', () => this.window.showAll());
    this.windowChanged();
    const select = element<HTMLSelectElement>('add-plot');
    plots.forEach((p, i) => {
      const tails = p.columns.map((c) => this.data.about.columns[c].name.split('.').pop());
      select.add(new Option(`${p.title}${p.columns.length > 4 ? '' : ': ' + tails.join(', ')} [${p.unit}]`, String(i)));
      if (p.shown) this.addPlot(i);
    });
    select.addEventListener('change', () => {
      if (select.value !== '') this.addPlot(Number(select.value));
      select.value = '';
      this.redraw();
    });
    const own = element<HTMLInputElement>('own-plot');
    own.addEventListener('change', () => {
      const text = own.value.trim();
      element('own-problem').textContent = '';
      if (text === '') return;
      try {
        const { line, unit } = expressionLine(this.data, text);
        this.add(text, unit, [line]);
        own.value = '';
        this.redraw();
      } catch (problem) {
        element('own-problem').textContent = `This cannot be plotted: ${(problem as Error).message}.`;
      }
    });
  }
  private addPlot(index: number): void {
    const { title, unit, columns } = this.data.about.plots[index];
    this.add(title, unit, columns.map((c) => columnLine(this.data, c)));
  }
  private add(title: string, unit: string, lines: Line[]): void {
    const remove = () => {
      this.plots.delete(plot);
      plot.element.remove();
    };
    const plot: Plot = new Plot(this.data, this.window, { title, unit, lines, remove, zoomTo: (from, to) => this.zoomTo(from, to) }, this.seek);
    this.plots.add(plot);
    element('plot-list').append(plot.element);
  }
  private zoomTo(from: number, to: number): void {
    if (to > from) this.window.show(from, to);
    else this.window.showAll();
  }
  private addLedger(): void {
    const lines = ledgerLines(this.data);
    if (lines.length === 0) return;
    const plot = new Plot(this.data, this.window, { title: '', unit: 'J', lines, stacked: true, height: 240, zoomTo: (from, to) => this.zoomTo(from, to) }, this.seek);
    this.plots.add(plot);
    element('ledger-plot').append(plot.element);
    element('ledger-plot').hidden = false;
  }
}
