// A lens over the stage: what is under the pointer, or around a point that is followed, many times
// larger: a copy of the drawing, made anew when something moves.
import { svgElement } from './stage';
import { Point, View } from './view';

const factors = [10, 30, 100, 300];

export class Lens {
  private readonly svg = svgElement('svg', { class: 'lens', 'aria-hidden': 'true' });
  private factor = 0; // 0: off
  private at?: Point; // on the ground, m

  constructor(
    private readonly box: HTMLElement,
    private readonly view: View,
  ) {
    box.addEventListener('pointermove', (e) => {
      if (this.factor === 0) return;
      this.at = this.view.toGround(e.clientX, e.clientY);
      this.draw();
    });
  }
  // The next size; off after the last. Returns the factor, 0: off.
  next(): number {
    this.factor = factors[factors.indexOf(this.factor) + 1] ?? 0;
    this.draw();
    return this.factor;
  }
  draw(): void {
    const picture = this.box.querySelector<SVGSVGElement>('svg:not(.lens, .overlay, .ghost, .grid)'),
      group = picture?.querySelector<SVGGElement>('.mechanism');
    if (!this.factor || !picture || !group) return this.svg.remove();
    if (!this.svg.isConnected) this.box.append(this.svg);
    // A copy and no reference to it: lines of a reference would grow with the lens.
    this.svg.replaceChildren(group.cloneNode(true));
    for (const body of this.svg.querySelectorAll('[data-body]')) body.removeAttribute('data-body'); // there is one of each
    const size = this.svg.clientWidth || 200,
      scale = Number(picture.dataset.scale),
      box = this.box.getBoundingClientRect();
    const at = this.at ?? this.view.toGround(box.left + box.width / 2, box.top + box.height / 2);
    const [x, y] = /translate\((\S+)[ ,]+(\S+?)\)/.exec(group.getAttribute('transform')!)!.slice(1).map(Number);
    const wide = (size / (this.view.pixelsPerMetre * this.factor)) * scale;
    this.svg.setAttribute('viewBox', `${x + at.x * scale - wide / 2} ${y - at.y * scale - wide / 2} ${wide} ${wide}`);
  }
}
