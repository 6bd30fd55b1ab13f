// The player of a report: one clock that the picture, the plots and the table of events follow.
import { Clock, speeds, usualSpeed } from '../../stage/clock';
import { Data, numberText } from '../../stage/data';
import { EventTable, eventText } from '../../stage/events';
import { Graph } from '../../stage/graph';
import { linkOf } from '../../stage/link';
import { merged } from '../../stage/marks';
import { svgElement } from '../../stage/stage';
import { ReportPlots } from './report_plots';
import { ReportStage } from './report_stage';

const element = <T extends HTMLElement>(id: string) => document.getElementById(id) as T;
const studioAddress = 'http://127.0.0.1:8173/'; // where `pawl studio` answers

class Player {
  private readonly picture: ReportStage;
  private readonly table?: EventTable;
  private readonly plots: ReportPlots;
  private readonly graph: Graph;
  private readonly clock: Clock;
  private lastAnnounced = 0;
  private announced = -2;

  constructor(private readonly data: Data) {
    this.clock = new Clock(
      data,
      (_, row, share) => this.show(row, share),
      (on) => this.showPlaying(on),
    );
    const again = () => this.seek(this.time);
    this.picture = new ReportStage(data, again);
    if (data.about.events.length > 0)
      this.table = new EventTable(element('event-list'), data.about.events, (i) => this.seek(data.about.events[i].t));
    const seek = (t: number) => {
      this.clock.play(false);
      this.seek(t);
    };
    this.plots = new ReportPlots(data, seek, again);
    this.graph = new Graph(data);
    element('graph').prepend(this.graph.element);
    element('graph').hidden = false;
    this.addTransport();
    this.addToggles();
    void this.addStudioLink();
    document.addEventListener('keydown', (e) => this.key(e));
    addEventListener('hashchange', () => this.openAddress());
    this.seek(data.start);
    this.openAddress();
  }

  // "#t=0.25": the moment that a link names, in seconds.
  private openAddress(): void {
    const t = /^#t=([-+.\deE]+)$/.exec(location.hash);
    if (!t || !Number.isFinite(Number(t[1]))) return;
    this.clock.play(false);
    this.seek(Number(t[1]));
  }
  private async copyLink(): Promise<void> {
    const link = new URL('#t=' + Number(this.time.toPrecision(9)), location.href).href;
    history.replaceState(null, '', link);
    await navigator.clipboard?.writeText(link).catch(() => {}); // the address has it too
    element('now').textContent = 'The address of this page now links to this time.';
  }
  private async addStudioLink(): Promise<void> {
    try {
      element<HTMLAnchorElement>('open-studio').href = studioAddress + (await linkOf(element('model-text').textContent!));
      element('to-studio').hidden = false;
    } catch {
      // A model over 1 MB, or a browser without compression: the text is there to copy.
    }
  }

  // ---- the clock
  private get time(): number {
    return this.clock.time;
  }
  private seek(t: number): void {
    this.clock.seek(t);
  }
  private show(row: number, share: number): void {
    this.picture.show(this.time, row, share);
    this.plots.show(this.time, row, share);
    this.graph.show(row);
    element<HTMLInputElement>('scrub').value = String(this.time);
    const text = `t = ${numberText(this.time, 6)} s`;
    element('clock').textContent = text;
    element('scrub').setAttribute('aria-valuetext', text);
    this.announce();
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
    click('link', () => void this.copyLink());
    click('zoom-in', () => this.plots.window.zoom(0.5, this.time));
    click('zoom-out', () => this.plots.window.zoom(2, this.time));
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
      box.addEventListener('change', () => this.picture.stage.toggle(what, box.checked));
      this.picture.stage.toggle(what, box.checked);
    }
    const hide = (id: string) => ((element(id).parentElement as HTMLElement).hidden = true);
    if (!this.picture.stage.hasTraces()) hide('show-traces');
    if (this.data.about.contacts.length === 0) hide('show-forces');
  }
  private key(e: KeyboardEvent): void {
    if (e.ctrlKey || e.metaKey || e.altKey) return;
    const at = e.target as HTMLElement;
    if (at instanceof HTMLSelectElement || (at instanceof HTMLInputElement && at.type === 'text')) return;
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
      z: () => this.plots.window.zoom(0.5, this.time),
      x: () => this.plots.window.zoom(2, this.time),
      m: () => this.picture.nextLens(),
      '0': () => this.picture.fit(),
      t: () => flip('show-traces'),
      f: () => flip('show-forces'),
      b: () => flip('show-names'),
    };
    const action = actions[e.key.length === 1 ? e.key.toLowerCase() : e.key];
    if (!action) return;
    e.preventDefault();
    action();
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
