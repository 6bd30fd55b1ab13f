// Which part of the ground is seen, and how large: zoom, pan, fit. Knows the picture's axes, not the
// mechanism. The view is kept in metres, so that it stays when the picture is drawn anew.
import { Stage } from './stage';

export interface Point {
  x: number;
  y: number;
}

// Kept free around what is fitted, px.
export interface Edge {
  left: number;
  right: number;
  top: number;
  bottom: number;
}

export function lengthText(metres: number): string {
  const [factor, unit] = metres > 0.999 ? [1, 'm'] : metres > 0.999e-3 ? [1e3, 'mm'] : [1e6, 'µm'];
  return `${Number((metres * factor).toPrecision(3))} ${unit}`;
}

const longestBar = 130; // px, of a scale

export class View {
  private svg?: SVGSVGElement;
  private stage?: Stage;
  private natural = { width: 1, height: 1 };
  private centre: Point = { x: 0, y: 0 };
  private pixels = 1000; // per metre
  private fitted = true; // until the user moves it
  private fresh = true; // nothing of the document was shown yet
  held = false; // under a pointer that drags it stays where it is
  private size = { width: 0, height: 0 }; // of the box, px
  private followed = -1; // a body that stays where it is on the screen
  onChange: () => void = () => {};

  constructor(
    private readonly box: HTMLElement,
    private readonly edge: () => Edge,
    private readonly takesWheel: (e: WheelEvent) => boolean = () => true,
  ) {
    this.measure();
    new ResizeObserver(() => {
      this.measure();
      if (this.fitted) this.fit();
      else this.apply();
    }).observe(box);
    box.addEventListener('wheel', (e) => this.wheel(e), { passive: false });
  }

  // Asked once for each size: asking for it lays the page out.
  private measure(): void {
    this.size = { width: this.box.clientWidth, height: this.box.clientHeight };
  }
  // Without a picture to fit, a width of ground (m).
  show(svg: SVGSVGElement, stage: Stage, ground?: number): void {
    this.svg = svg;
    this.stage = stage;
    if (this.size.width === 0) this.measure();
    const { width, height } = svg.viewBox.baseVal;
    this.natural = { width, height };
    svg.setAttribute('width', '100%');
    svg.setAttribute('height', '100%');
    if (this.fresh && ground !== undefined && this.size.width > 0) {
      this.pixels = this.size.width / ground;
      this.centre = { x: 0, y: 0 };
      this.fitted = false;
      this.apply();
    } else if (this.fresh || (this.fitted && !this.held && this.isOutside())) this.fit();
    else this.apply();
    this.fresh = false;
  }

  // Whether a part of the picture is not seen.
  private isOutside(): boolean {
    const { scale, origin } = this.stage!,
      seen = this.seen(),
      slack = 0.02 * seen.width;
    const left = -origin.x / scale,
      top = origin.y / scale;
    return left < seen.x - slack || top > seen.y + slack || left + this.natural.width / scale > seen.x + seen.width + slack || top - this.natural.height / scale < seen.y - seen.height - slack;
  }
  // What is seen of the ground: its upper left corner and its size, m.
  seen(): { x: number; y: number; width: number; height: number } {
    const width = this.size.width / this.pixels,
      height = this.size.height / this.pixels;
    return { x: this.centre.x - width / 2, y: this.centre.y + height / 2, width, height };
  }
  // The longest round length that fits on a bar, as its width and its text.
  showScale(bar: HTMLElement): void {
    const room = longestBar / this.pixels,
      power = 10 ** Math.floor(Math.log10(room));
    const length = power * (room >= 5 * power ? 5 : room >= 2 * power ? 2 : 1);
    bar.style.width = `${(length * this.pixels).toFixed(1)}px`;
    bar.textContent = lengthText(length);
  }
  get middle(): Point {
    return { ...this.centre };
  }
  get pixelsPerMetre(): number {
    return this.pixels;
  }

  fit(): void {
    this.fitted = true;
    if (!this.stage || this.size.width === 0) return;
    const { width, height } = this.natural,
      { scale, origin } = this.stage;
    const { left, right, top, bottom } = this.edge();
    const unit = Math.max(width / (this.size.width - left - right), height / (this.size.height - top - bottom));
    this.pixels = scale / unit;
    this.centre = {
      x: (width / 2 - origin.x) / scale - (left - right) / 2 / this.pixels,
      y: (origin.y - height / 2) / scale + (top - bottom) / 2 / this.pixels,
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
      x: (p.x - this.centre.x) * this.pixels + this.size.width / 2,
      y: (this.centre.y - p.y) * this.pixels + this.size.height / 2,
    };
  }

  private apply(): void {
    if (!this.svg || !this.stage || this.size.width === 0) return;
    const { scale, origin } = this.stage,
      unit = scale / this.pixels;
    const width = this.size.width * unit,
      height = this.size.height * unit;
    this.svg.setAttribute(
      'viewBox',
      `${origin.x + this.centre.x * scale - width / 2} ${origin.y - this.centre.y * scale - height / 2} ${width} ${height}`,
    );
    this.stage.keepWords(unit);
    this.onChange();
  }
  // From now on a body stays where it is on the screen; -1: none.
  follow(body: number): void {
    this.followed = body;
    this.place = undefined;
    this.keepUp();
  }
  // After bodies have moved.
  keepUp(): void {
    if (this.followed < 0 || !this.stage?.hasBody(this.followed)) return;
    const now = this.stage.poseOf(this.followed);
    if (this.place) {
      this.fitted = false;
      this.centre = { x: this.centre.x + now.x - this.place.x, y: this.centre.y + now.y - this.place.y };
      this.apply();
    }
    this.place = { x: now.x, y: now.y };
  }
  // Two fingers: their middle moves the ground, their distance its size.
  pinch(now: Point, before: Point, other: Point): void {
    const after = Math.hypot(now.x - other.x, now.y - other.y),
      then = Math.hypot(before.x - other.x, before.y - other.y);
    this.pan((now.x - before.x) / 2, (now.y - before.y) / 2);
    if (then > 0) this.zoom(after / then, this.toGround((now.x + other.x) / 2, (now.y + other.y) / 2));
  }
  private place?: Point; // of the body that is followed, at the last look
  private wheel(e: WheelEvent): void {
    if (!this.takesWheel(e)) return;
    e.preventDefault();
    if (e.shiftKey) this.pan(-e.deltaY, 0);
    else this.zoom(Math.exp(-Math.max(-200, Math.min(200, e.deltaY)) * (e.ctrlKey ? 0.01 : 0.0015)), this.toGround(e.clientX, e.clientY));
  }
}
