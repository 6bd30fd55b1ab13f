// Which part of the ground is seen, and how large: zoom, pan, fit. Knows the picture's axes, not the
// mechanism. The view is kept in metres, so that it stays when the picture is drawn anew.
import { Stage } from '../../stage/stage';

export interface Point {
  x: number;
  y: number;
}

// Kept free around what is fitted, px: tools stand on the left, words above and below.
const edge = { left: 56, right: 14, top: 40, bottom: 44 };

export class View {
  private svg?: SVGSVGElement;
  private stage?: Stage;
  private natural = { width: 1, height: 1 };
  private centre: Point = { x: 0, y: 0 };
  private pixels = 1000; // per metre
  private fitted = true; // until the user moves it
  private fresh = true; // nothing of the document was shown yet
  onChange: () => void = () => {};

  constructor(private readonly box: HTMLElement) {
    new ResizeObserver(() => (this.fitted ? this.fit() : this.apply())).observe(box);
    box.addEventListener('wheel', (e) => this.wheel(e), { passive: false });
  }

  // Without a picture to fit, a width of ground (m).
  show(svg: SVGSVGElement, stage: Stage, ground?: number): void {
    this.svg = svg;
    this.stage = stage;
    const { width, height } = svg.viewBox.baseVal;
    this.natural = { width, height };
    svg.setAttribute('width', '100%');
    svg.setAttribute('height', '100%');
    if (this.fresh && ground !== undefined && this.box.clientWidth > 0) {
      this.pixels = this.box.clientWidth / ground;
      this.centre = { x: 0, y: 0 };
      this.fitted = false;
      this.apply();
    } else if (this.fresh) this.fit();
    else this.apply();
    this.fresh = false;
  }

  get pixelsPerMetre(): number {
    return this.pixels;
  }

  fit(): void {
    this.fitted = true;
    if (!this.stage || this.box.clientWidth === 0) return;
    const { width, height } = this.natural,
      { scale, origin } = this.stage;
    const left = this.box.clientWidth < 500 ? 2 * edge.left : edge.left;
    const unit = Math.max(width / (this.box.clientWidth - left - edge.right), height / (this.box.clientHeight - edge.top - edge.bottom));
    this.pixels = scale / unit;
    this.centre = {
      x: (width / 2 - origin.x) / scale - (left - edge.right) / 2 / this.pixels,
      y: (origin.y - height / 2) / scale + (edge.top - edge.bottom) / 2 / this.pixels,
    };
    this.apply();
  }
  zoom(factor: number, at?: Point): void {
    this.fitted = false;
    const fixed = at ?? this.centre;
    this.pixels = Math.min(1e8, Math.max(1e-2, this.pixels * factor));
    this.centre = { x: fixed.x + (this.centre.x - fixed.x) / factor, y: fixed.y + (this.centre.y - fixed.y) / factor };
    this.apply();
  }
  pan(dx: number, dy: number): void {
    this.fitted = false;
    this.centre = { x: this.centre.x - dx / this.pixels, y: this.centre.y + dy / this.pixels };
    this.apply();
  }
  // A new document is seen whole.
  reset(): void {
    this.fitted = this.fresh = true;
  }
  // Where a point of the screen is on the ground, m.
  toGround(clientX: number, clientY: number): Point {
    const box = this.box.getBoundingClientRect();
    return {
      x: this.centre.x + (clientX - box.left - box.width / 2) / this.pixels,
      y: this.centre.y - (clientY - box.top - box.height / 2) / this.pixels,
    };
  }
  // In pixels of the box.
  toScreen(p: Point): Point {
    return {
      x: (p.x - this.centre.x) * this.pixels + this.box.clientWidth / 2,
      y: (this.centre.y - p.y) * this.pixels + this.box.clientHeight / 2,
    };
  }

  private apply(): void {
    if (!this.svg || !this.stage || this.box.clientWidth === 0) return;
    const { scale, origin } = this.stage,
      unit = scale / this.pixels;
    const width = this.box.clientWidth * unit,
      height = this.box.clientHeight * unit;
    this.svg.setAttribute(
      'viewBox',
      `${origin.x + this.centre.x * scale - width / 2} ${origin.y - this.centre.y * scale - height / 2} ${width} ${height}`,
    );
    this.stage.keepWords();
    this.onChange();
  }
  private wheel(e: WheelEvent): void {
    e.preventDefault();
    if (e.shiftKey) this.pan(-e.deltaY, 0);
    else this.zoom(Math.exp(-Math.max(-200, Math.min(200, e.deltaY)) * (e.ctrlKey ? 0.01 : 0.0015)), this.toGround(e.clientX, e.clientY));
  }
}
