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
