// The front page: every example as a card that opens it.
import { byId, make, svgOf } from './dom';

export interface Example {
  name: string; // of its file
  title: string;
  note: string;
  category: string;
  picture: string; // SVG
  text: string;
}

export class Gallery {
  private category = '';
  private readonly cards: { example: Example; item: HTMLElement; words: string }[] = [];
  onOpen: (example: Example) => void = () => {};

  constructor(private readonly examples: Example[]) {
    byId('search').addEventListener('input', () => this.filter());
    const categories = [...new Set(examples.map((e) => e.category))];
    const chips = ['', ...categories].map((c) => {
      const chip = make('button', { type: 'button', class: 'chip', 'aria-pressed': String(c === '') }, c || 'All');
      chip.addEventListener('click', () => {
        this.category = c;
        chips.forEach((other) => other.setAttribute('aria-pressed', String(other === chip)));
        this.filter();
      });
      return chip;
    });
    byId('categories').replaceChildren(...chips);
    for (const example of examples) this.addCard(example);
    byId('cards').replaceChildren(...this.cards.map((c) => c.item));
  }
  find(name: string): Example | undefined {
    return this.examples.find((e) => e.name === name);
  }

  private addCard(example: Example): void {
    const picture = make('span', { class: 'picture stage', 'aria-hidden': 'true' });
    const button = make('button', { type: 'button', class: 'card', 'data-example': example.name }, picture, make('span', { class: 'words' }, make('b', {}, example.title), make('span', {}, example.note)));
    button.addEventListener('click', () => this.onOpen(example));
    const item = make('li', {}, button);
    // Pictures are made when they come into sight.
    new IntersectionObserver((entries, observer) => {
      if (!entries.some((e) => e.isIntersecting)) return;
      observer.disconnect();
      const svg = svgOf(example.picture);
      svg.removeAttribute('role');
      svg.removeAttribute('aria-label');
      picture.replaceChildren(svg);
      fill(svg);
    }, { rootMargin: '300px' }).observe(button);
    this.cards.push({ example, item, words: `${example.name} ${example.title} ${example.note} ${example.category}`.toLowerCase() });
  }
  private filter(): void {
    const wanted = byId<HTMLInputElement>('search').value.trim().toLowerCase().split(/\s+/);
    let shown = 0;
    for (const { example, item, words } of this.cards) {
      item.hidden = !((this.category === '' || example.category === this.category) && wanted.every((w) => words.includes(w)));
      if (!item.hidden) ++shown;
    }
    byId('no-cards').hidden = shown > 0;
  }
}

// The picture fills its card: the parts that move decide what is seen, with as much of the ground
// around them as is half their size.
function fill(svg: SVGSVGElement): void {
  const { width: wide, height: high, x: left, y: top } = svg.viewBox.baseVal,
    card = svg.getBoundingClientRect(),
    unit = Math.max(wide / card.width, high / card.height);
  const boxes = [...svg.querySelectorAll<SVGGElement>('.mechanism .body')].map((group) => group.getBoundingClientRect());
  const around = (list: DOMRect[]) => ({ left: Math.min(...list.map((b) => b.left)), right: Math.max(...list.map((b) => b.right)), top: Math.min(...list.map((b) => b.top)), bottom: Math.max(...list.map((b) => b.bottom)) });
  const seen = boxes.filter((b) => b.width + b.height > 0);
  if (seen.length === 0) return;
  const all = around(seen),
    moving = boxes.slice(1).filter((b) => b.width + b.height > 0);
  const parts = moving.length > 0 ? around(moving) : all,
    room = 0.5 * Math.max(parts.right - parts.left, parts.bottom - parts.top);
  const box = { left: Math.max(all.left, parts.left - room), right: Math.min(all.right, parts.right + room), top: Math.max(all.top, parts.top - room), bottom: Math.min(all.bottom, parts.bottom + room) };
  const edge = 0.05 * Math.max(box.right - box.left, box.bottom - box.top) + 2;
  const width = (box.right - box.left + 2 * edge) * unit,
    height = (box.bottom - box.top + 2 * edge) * unit;
  // Pixels of the card, whose middle is that of the picture, to those of the drawing.
  const x = left + wide / 2 + ((box.left + box.right) / 2 - card.left - card.width / 2) * unit,
    y = top + high / 2 + ((box.top + box.bottom) / 2 - card.top - card.height / 2) * unit;
  svg.setAttribute('viewBox', `${x - width / 2} ${y - height / 2} ${width} ${height}`);
}
