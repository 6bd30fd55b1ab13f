// The stage of a report: zoom and pan, a click on a body or a contact to inspect it, the lens, and
// what can be shown besides the parts.
import { Data, numberText } from '../../stage/data';
import { Inspector } from '../../stage/inspector';
import { layerNames, Layers, layerTitles } from '../../stage/layers';
import { Lens } from '../../stage/lens';
import { Stage } from '../../stage/stage';
import { Point, View } from '../../stage/view';

const element = <T extends HTMLElement>(id: string) => document.getElementById(id) as T;
const clickDistance = 4; // px

export class ReportStage {
  readonly stage: Stage;
  private readonly svg = document.querySelector<SVGSVGElement>('#stage svg')!;
  private readonly canvas = element('canvas');
  private readonly view: View;
  private readonly layers: Layers;
  private readonly inspector = new Inspector(element('inspector'));
  private readonly lens: Lens;
  private readonly pointers = new Map<number, Point>();
  private pressed?: { at: Point; moved: boolean };
  private selected = '';

  constructor(
    private readonly data: Data,
    private readonly redraw: () => void,
  ) {
    this.stage = new Stage(this.svg, data);
    // As wide as there is room, as high as the picture needs.
    const { width, height } = this.svg.viewBox.baseVal;
    this.canvas.style.setProperty('--aspect', (width / height).toFixed(3));
    element('stage').classList.add('live');
    // The page scrolls with the wheel; with Ctrl, or after a click on the stage, it zooms.
    this.view = new View(
      this.canvas,
      () => ({ left: 8, right: 8, top: 8, bottom: this.canvas.clientWidth < 500 ? 72 : 46 }), // scales and buttons stand below
      (e) => e.ctrlKey || document.activeElement === this.canvas,
    );
    this.view.show(this.svg, this.stage);
    this.layers = new Layers(this.stage, this.svg, data);
    this.lens = new Lens(this.canvas, this.view);
    this.view.onChange = () => {
      this.lens.draw();
      this.showScales();
    };
    this.showScales();
    this.inspector.setData(data);
    this.addLayers();
    this.addControls();
    this.canvas.tabIndex = 0;
    this.canvas.setAttribute('role', 'application');
    this.canvas.setAttribute('aria-label', 'Mechanism. Drag moves it, Ctrl and the wheel zoom, a click inspects.');
  }

  show(t: number, row: number, share: number): void {
    this.stage.show(row, share);
    this.view.keepUp();
    this.layers.show(t, row, share);
    this.inspector.update(row, share);
    this.lens.draw();
  }
  fit(): void {
    this.view.fit();
  }
  nextLens(): void {
    const factor = this.lens.next();
    element('lens').textContent = factor > 0 ? `Lens ${factor} ×` : 'Lens';
  }

  private showScales(): void {
    element('scales').hidden = false;
    this.view.showScale(element('scale-bar'));
    const { force, pixels } = this.stage.forceScale(),
      bar = element('force-bar');
    bar.hidden = force === 0;
    bar.style.width = `${pixels.toFixed(1)}px`;
    bar.textContent = `${numberText(force)} N`;
  }
  private addLayers(): void {
    for (const layer of layerNames) {
      if (!this.layers.has(layer)) continue;
      const label = document.createElement('label'),
        box = document.createElement('input');
      box.type = 'checkbox';
      box.id = 'show-' + layer;
      box.checked = layer === 'impulses';
      box.addEventListener('change', () => this.layers.toggle(layer, box.checked));
      label.append(box, ' ' + layerTitles[layer].toLowerCase());
      element('layers').append(label);
      if (box.checked) this.layers.toggle(layer, true);
    }
  }
  private addControls(): void {
    const click = (id: string, action: () => void) => element(id).addEventListener('click', action);
    element('corner').hidden = false;
    click('view-in', () => this.view.zoom(1.4));
    click('view-out', () => this.view.zoom(1 / 1.4));
    click('view-fit', () => this.fit());
    click('lens', () => this.nextLens());
    click('close-inspector', () => this.inspect(''));
    click('follow', () => {
      const on = element('follow').getAttribute('aria-pressed') !== 'true';
      element('follow').setAttribute('aria-pressed', String(on));
      this.view.follow(on ? this.data.about.bodies.findIndex((b) => b.name === this.selected) + 1 : -1);
    });
    this.canvas.addEventListener('pointerdown', (e) => this.down(e));
    this.canvas.addEventListener('pointermove', (e) => this.move(e));
    for (const kind of ['pointerup', 'pointercancel'] as const) this.canvas.addEventListener(kind, (e) => this.up(e));
  }
  private down(e: PointerEvent): void {
    this.pointers.set(e.pointerId, { x: e.clientX, y: e.clientY });
    this.pressed = { at: { x: e.clientX, y: e.clientY }, moved: this.pointers.size > 1 };
    this.canvas.setPointerCapture(e.pointerId);
  }
  private move(e: PointerEvent): void {
    const before = this.pointers.get(e.pointerId),
      now = { x: e.clientX, y: e.clientY };
    if (!before || !this.pressed) return;
    this.pointers.set(e.pointerId, now);
    const other = [...this.pointers.entries()].find(([id]) => id !== e.pointerId)?.[1];
    if (other) return this.view.pinch(now, before, other);
    if (Math.hypot(now.x - this.pressed.at.x, now.y - this.pressed.at.y) > clickDistance) this.pressed.moved = true;
    if (this.pressed.moved) this.view.pan(now.x - before.x, now.y - before.y);
  }
  private up(e: PointerEvent): void {
    this.pointers.delete(e.pointerId);
    const { pressed } = this;
    this.pressed = undefined;
    if (!pressed || pressed.moved || e.type === 'pointercancel') return;
    const under = document.elementsFromPoint(e.clientX, e.clientY);
    const contact = under.map((x) => x.closest<SVGElement>('[data-contact]')?.dataset.contact).find(Boolean),
      body = under.map((x) => x.closest<SVGElement>('#canvas .body')?.dataset.body).find((name) => name && name !== 'ground');
    this.inspect(contact ?? body ?? '');
  }
  inspect(name: string): void {
    this.selected = name;
    this.view.follow(-1);
    element('follow').setAttribute('aria-pressed', 'false');
    element('follow').hidden = !this.data.about.bodies.some((b) => b.name === name);
    element('inspected').hidden = !this.inspector.show(name);
    for (const group of this.svg.querySelectorAll<SVGGElement>('.body')) group.classList.toggle('selected', name !== '' && group.dataset.body === name);
    this.redraw();
  }
}
