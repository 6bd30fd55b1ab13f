// The player of a report: one clock that the picture, the plots and the table of events follow.
import { Clock, speeds, usualSpeed } from '../../stage/clock';
import { Data, numberText } from '../../stage/data';
import { EventTable, eventText } from '../../stage/events';
import { merged } from '../../stage/marks';
import { Line, Plot, Stretch } from '../../stage/plot';
import { Stage, svgElement } from '../../stage/stage';

const element = <T extends HTMLElement>(id: string) => document.getElementById(id) as T;
const mostTerms = 6; // of the energy ledger, besides the others together

class Player {
  private readonly stage: Stage;
  private readonly table?: EventTable;
  private readonly plots = new Set<Plot>();
  private readonly clock: Clock;
  private lastAnnounced = 0;
  private announced = -2;
  private readonly stretch: Stretch;

  constructor(private readonly data: Data) {
    this.clock = new Clock(
      data,
      (_, row, share) => this.show(row, share),
      (on) => this.showPlaying(on),
    );
    this.stretch = { from: data.start, to: data.end };
    this.stage = new Stage(document.querySelector<SVGSVGElement>('#stage svg')!, data);
    if (data.about.events.length > 0)
      this.table = new EventTable(element('event-list'), data.about.events, (i) => this.seek(data.about.events[i].t));
    this.addTransport();
    this.addToggles();
    this.addPlots();
    this.addLedger();
    document.addEventListener('keydown', (e) => this.key(e));
    this.seek(data.start);
  }

  // ---- the clock
  private get time(): number {
    return this.clock.time;
  }
  private seek(t: number): void {
    this.clock.seek(t);
  }
  private show(row: number, share: number): void {
    this.stage.show(row, share);
    this.follow();
    for (const plot of this.plots) plot.show(this.time, row, share);
    element<HTMLInputElement>('scrub').value = String(this.time);
    const text = `t = ${numberText(this.time, 6)} s`;
    element('clock').textContent = text;
    element('scrub').setAttribute('aria-valuetext', text);
    this.announce();
  }
  // Moves the stretch of time in the plots along with the clock.
  private follow(): void {
    const { from, to } = this.stretch;
    if (this.time >= from && this.time <= to) return;
    this.setStretch(this.time > to && this.time < to + (to - from) ? to : this.time - (to - from) / 2, to - from);
  }
  private setStretch(from: number, length: number): void {
    const { start, end } = this.data,
      whole = end - start;
    const kept = length > 0.999999 * whole ? whole : length;
    this.stretch.from = Math.min(Math.max(start, from), end - kept);
    this.stretch.to = this.stretch.from + kept;
    element('window').textContent =
      kept < whole ? `${numberText(this.stretch.from, 4)} to ${numberText(this.stretch.to, 4)} s` : '';
    element<HTMLButtonElement>('zoom-out').disabled = kept >= whole;
    for (const plot of this.plots) plot.draw();
  }
  private zoom(factor: number): void {
    const length = (this.stretch.to - this.stretch.from) * factor;
    if (length < 1e-6 * (this.data.end - this.data.start)) return;
    // The cursor keeps its place.
    const share = (this.time - this.stretch.from) / (this.stretch.to - this.stretch.from || 1);
    this.setStretch(this.time - share * length, length);
  }
  // Says what happened last; while playing not more often than people can read.
  private announce(): void {
    const last = this.clock.passed() - 1;
    this.table?.mark(last);
    const now = performance.now();
    if (last === this.announced || (this.clock.playing && now - this.lastAnnounced < 700)) return;
    this.announced = last;
    this.lastAnnounced = now;
    const e = this.data.about.events[last];
    element('now').textContent = e ? `${numberText(e.t, 6)} s: ${eventText(e)}` : '';
  }
  private showPlaying(on: boolean): void {
    const button = element<HTMLButtonElement>('play');
    button.classList.toggle('playing', on);
    button.setAttribute('aria-label', on ? 'Pause' : 'Play');
    if (!on) this.announce();
  }

  // ---- what the user touches
  private addTransport(): void {
    const { start, end } = this.data;
    const scrub = element<HTMLInputElement>('scrub');
    scrub.min = String(start);
    scrub.max = String(end);
    scrub.addEventListener('input', () => {
      this.clock.play(false);
      this.seek(Number(scrub.value));
    });
    const click = (id: string, action: () => void) => element(id).addEventListener('click', action);
    click('play', () => this.clock.play(!this.clock.playing));
    click('previous', () => this.clock.stepEvent(-1));
    click('next', () => this.clock.stepEvent(1));
    click('back', () => this.clock.stepRow(-1));
    click('forward', () => this.clock.stepRow(1));
    const select = element<HTMLSelectElement>('speed');
    for (const s of speeds) select.add(new Option(s < 1 ? `1/${Math.round(1 / s)}` : `${s} ×`, String(s)));
    this.setSpeed(speeds.indexOf(usualSpeed(end - start)));
    select.addEventListener('change', () => this.setSpeed(select.selectedIndex));
    this.addTicks();
    const rests = end === start; // there is nothing to play
    for (const part of document.querySelectorAll<HTMLElement>('.scrub, .buttons')) part.hidden = rests;
    element('transport').hidden = false;
  }
  // Below the time line; those of events that are hardly apart on the screen are one.
  private addTicks(): void {
    const { start, end } = this.data;
    const ticks = document.querySelector<SVGSVGElement>('#ticks')!,
      path = svgElement('path');
    ticks.append(path);
    new ResizeObserver(() => {
      const { width } = ticks.getBoundingClientRect();
      if (width === 0) return;
      ticks.setAttribute('viewBox', `0 0 ${width} 10`);
      const places = merged(this.data.about.events.map((e) => (width * (e.t - start)) / (end - start || 1)));
      path.setAttribute('d', places.map((x) => `M${x.toFixed(1)} 0V10`).join(''));
    }).observe(ticks);
  }
  private setSpeed(index: number): void {
    const select = element<HTMLSelectElement>('speed');
    select.selectedIndex = Math.min(speeds.length - 1, Math.max(0, index));
    this.clock.speed = speeds[select.selectedIndex];
  }
  private addToggles(): void {
    for (const what of ['traces', 'forces', 'names'] as const) {
      const box = element<HTMLInputElement>('show-' + what);
      box.addEventListener('change', () => this.stage.toggle(what, box.checked));
      this.stage.toggle(what, box.checked);
    }
    const hide = (id: string) => ((element(id).parentElement as HTMLElement).hidden = true);
    if (!this.stage.hasTraces()) hide('show-traces');
    if (this.data.about.contacts.length === 0) hide('show-forces');
  }
  private key(e: KeyboardEvent): void {
    if (e.ctrlKey || e.metaKey || e.altKey) return;
    const at = e.target as HTMLElement;
    if (at instanceof HTMLSelectElement) return;
    if (e.key === ' ' && (at instanceof HTMLButtonElement || at.tagName === 'SUMMARY' || (at as HTMLInputElement).type === 'checkbox')) return;
    const flip = (id: string) => element<HTMLInputElement>(id).click();
    const speed = element<HTMLSelectElement>('speed').selectedIndex;
    const actions: Record<string, () => void> = {
      ' ': () => this.clock.play(!this.clock.playing),
      ArrowLeft: () => this.clock.stepRow(-1),
      ArrowRight: () => this.clock.stepRow(1),
      p: () => this.clock.stepEvent(-1),
      n: () => this.clock.stepEvent(1),
      Home: () => this.seek(this.data.start),
      End: () => this.seek(this.data.end),
      '+': () => this.setSpeed(speed + 1),
      '-': () => this.setSpeed(speed - 1),
      z: () => this.zoom(0.5),
      x: () => this.zoom(2),
      t: () => flip('show-traces'),
      f: () => flip('show-forces'),
      b: () => flip('show-names'),
    };
    const action = actions[e.key.length === 1 ? e.key.toLowerCase() : e.key];
    if (!action) return;
    e.preventDefault();
    action();
  }

  // ---- plots
  private line(column: number): Line {
    const name = this.data.about.columns[column].name;
    return { name, series: this.data.series(column), digits: this.data.digits(column), value: (row, share) => this.data.at(column, row, share) };
  }
  private addPlots(): void {
    const { plots } = this.data.about;
    if (plots.length === 0) return;
    element('plots').hidden = false;
    element('zoom-in').addEventListener('click', () => this.zoom(0.5));
    element('zoom-out').addEventListener('click', () => this.zoom(2));
    this.setStretch(this.stretch.from, Infinity);
    const select = element<HTMLSelectElement>('add-plot');
    plots.forEach((p, i) => {
      const tails = p.columns.map((c) => this.data.about.columns[c].name.split('.').pop());
      select.add(new Option(`${p.title}${p.columns.length > 4 ? '' : ': ' + tails.join(', ')} [${p.unit}]`, String(i)));
      if (p.shown) this.addPlot(i);
    });
    select.addEventListener('change', () => {
      if (select.value !== '') this.addPlot(Number(select.value));
      select.value = '';
      this.seek(this.time);
    });
  }
  private addPlot(index: number): void {
    const { title, unit, columns } = this.data.about.plots[index];
    const plot: Plot = new Plot(
      this.data,
      this.stretch,
      {
        title,
        unit,
        lines: columns.map((c) => this.line(c)),
        remove: () => {
          this.plots.delete(plot);
          plot.element.remove();
        },
      },
      (t) => {
        this.clock.play(false);
        this.seek(t);
      },
    );
    this.plots.add(plot);
    element('plot-list').append(plot.element);
  }
  // The largest terms each, the others together.
  private addLedger(): void {
    const terms = this.data.about.ledger.map((term) => {
      const line: Line = { ...this.line(term.column), name: term.name, sign: term.sign };
      const first = line.value(0, 0);
      let size = 0;
      for (let k = 0; k <= 500; ++k)
        size = Math.max(size, Math.abs(line.value(Math.round((k / 500) * (this.data.time.length - 1)), 0) - first) || 0);
      return { line, size };
    });
    if (terms.length === 0) return;
    terms.sort((a, b) => b.size - a.size);
    const large = terms.filter((term, i) => i < mostTerms && term.size > 0.002 * terms[0].size);
    const rest = terms.slice(large.length);
    const lines = large.map((term) => term.line);
    if (rest.length > 0)
      lines.push({
        name: 'others',
        series: lines[0].series,
        digits: 4,
        value: (row, share) => rest.reduce((sum, term) => sum + (term.line.sign as number) * term.line.value(row, share), 0),
      });
    const plot = new Plot(
      this.data,
      this.stretch,
      { title: '', unit: 'J', lines, stacked: true, height: 240 },
      (t) => {
        this.clock.play(false);
        this.seek(t);
      },
    );
    this.plots.add(plot);
    element('ledger-plot').append(plot.element);
    element('ledger-plot').hidden = false;
  }
}

// Details are open on paper, and as they were afterwards.
function openForPrint(): void {
  let closed: HTMLDetailsElement[] = [];
  addEventListener('beforeprint', () => {
    closed = [...document.querySelectorAll<HTMLDetailsElement>('section details:not([open])')];
    for (const d of closed) d.open = true;
  });
  addEventListener('afterprint', () => {
    for (const d of closed) d.open = false;
  });
}

openForPrint();
new Player(new Data(element('pawl-data').textContent as string, (i) => element('pawl-' + i).textContent as string));
