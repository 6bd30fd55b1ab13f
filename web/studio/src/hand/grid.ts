// The grid that clicks snap to, behind the picture while something is drawn: a dot at each step, lines
// at round numbers, and these numbers along the axes.
import { svgElement } from '../../../stage/stage';
import { View } from '../../../stage/view';
import { lengthIn, metresOf, roundUp } from './quantities';

const linePixels = 70, // at least, between two lines
  finest = 1e-9; // m

export class Grid {
  private readonly svg = svgElement('svg', { class: 'grid', 'aria-hidden': 'true' });
  private drawn = ''; // what of the ground, and in what unit

  constructor(private readonly box: HTMLElement) {}

  hide(): void {
    this.svg.remove();
    this.drawn = '';
  }
  // `dots`: how far they are apart, m.
  draw(view: View, unit: string, dots: number): void {
    const { clientWidth: width, clientHeight: height } = this.box,
      scale = view.pixelsPerMetre,
      origin = view.toScreen({ x: 0, y: 0 }),
      seen = [origin.x, origin.y, scale, width, height, unit].join(' ');
    if (seen === this.drawn) return;
    this.drawn = seen;
    if (!this.svg.isConnected) this.box.append(this.svg);
    const lines = metresOf(unit) * roundUp(linePixels / scale / metresOf(unit));
    const pattern = (id: string, step: number, content: SVGElement) => {
      const out = svgElement('pattern', { id, x: origin.x - (step * scale) / 2, y: origin.y - (step * scale) / 2, width: step * scale, height: step * scale, patternUnits: 'userSpaceOnUse' });
      out.append(content);
      return out;
    };
    const whole = (id: string) => svgElement('rect', { width, height, fill: `url(#${id})` }),
      half = (step: number) => (step * scale) / 2,
      l = half(lines);
    this.svg.replaceChildren(
      pattern('grid-dots', dots, svgElement('circle', { class: 'dot', cx: half(dots), cy: half(dots), r: 0.8 })),
      pattern('grid-lines', lines, svgElement('path', { class: 'line', d: `M0 ${l}H${2 * l}M${l} 0V${2 * l}` })),
      whole('grid-dots'),
      whole('grid-lines'),
      svgElement('path', { class: 'axis', d: `M0 ${origin.y}H${width}M${origin.x} 0V${height}` }),
      ...this.numbers(view, lines, unit, width, height),
    );
  }
  // Along both axes, as far as these are seen; else along the edges.
  private numbers(view: View, step: number, unit: string, width: number, height: number): SVGElement[] {
    const out: SVGElement[] = [],
      { x, y, width: wide, height: high } = view.seen(),
      origin = view.toScreen({ x: 0, y: 0 }),
      row = Math.min(height - 6, Math.max(16, origin.y + 13)),
      column = Math.min(width - 40, Math.max(4, origin.x + 4));
    const label = (value: number, at: { x: number; y: number }) => {
      const text = svgElement('text', at);
      text.textContent = lengthIn(value, unit, finest);
      out.push(text);
    };
    for (let i = Math.ceil(x / step); i * step <= x + wide; ++i) label(i * step, { x: view.toScreen({ x: i * step, y: 0 }).x + 4, y: row });
    for (let i = Math.ceil((y - high) / step); i * step <= y; ++i) if (i !== 0) label(i * step, { x: column, y: view.toScreen({ x: 0, y: i * step }).y - 4 });
    return out;
  }
}
