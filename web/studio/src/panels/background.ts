// A picture behind the stage to trace: it moves and grows with the ground. It stays in this tab.
import { Point, View } from '../../../stage/view';
import { make, toast } from '../page/dom';

const largest = 20 << 20, // bytes
  firstWidth = 0.6; // of what is seen

export class Background {
  private image?: HTMLImageElement;
  private corner: Point = { x: 0, y: 0 }; // upper left, m
  private width = 1; // m

  constructor(
    private readonly box: HTMLElement,
    private readonly view: View,
  ) {}

  get isThere(): boolean {
    return this.image !== undefined;
  }
  choose(then: () => void): void {
    const input = make('input', { type: 'file', accept: 'image/*' });
    input.addEventListener('change', () => {
      const file = input.files?.[0];
      if (!file) return;
      if (file.size > largest) return toast('This picture is larger than 20 MB.');
      void this.show(file).then(then, () => toast('This file is no picture that the browser can show.'));
    });
    input.click();
  }
  private async show(file: File): Promise<void> {
    this.remove();
    const image = make('img', { class: 'background', alt: '' });
    image.src = URL.createObjectURL(file);
    await image.decode();
    const seen = this.view.seen();
    this.width = firstWidth * seen.width;
    const height = (this.width * image.naturalHeight) / image.naturalWidth;
    this.corner = { x: seen.x + (seen.width - this.width) / 2, y: seen.y - (seen.height - height) / 2 };
    this.image = image;
    this.box.prepend(image);
    this.place();
  }
  remove(): void {
    if (this.image) URL.revokeObjectURL(this.image.src);
    this.image?.remove();
    this.image = undefined;
  }
  // The distance of two places of the picture becomes `length`, m; the first stays.
  scale(a: Point, b: Point, length: number): void {
    const factor = length / Math.hypot(b.x - a.x, b.y - a.y);
    this.corner = { x: a.x + (this.corner.x - a.x) * factor, y: a.y + (this.corner.y - a.y) * factor };
    this.width *= factor;
    this.place();
  }
  place(): void {
    if (!this.image) return;
    const p = this.view.toScreen(this.corner);
    this.image.style.transform = `translate(${p.x}px, ${p.y}px)`;
    this.image.style.width = `${this.width * this.view.pixelsPerMetre}px`;
  }
}
