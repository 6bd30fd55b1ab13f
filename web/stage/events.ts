// The table of events. Long tables are filled as far as they are looked at.
import { MotionEvent, numberText } from './data';

const portion = 100; // rows

export function eventText(e: MotionEvent): string {
  const way = e.from && e.to ? `${e.from} → ${e.to}` : e.to || e.from;
  return [e.kind.replace(/_/g, ' '), e.element, way && `(${way})`].filter(Boolean).join(' ');
}

// Beside the largest of its kind, less than this is rounding.
const isMore = (value: number, largest: number) => Math.abs(value) > 1e-9 * largest;

export class EventTable {
  private readonly largest = { impulse: 0, energy: 0 };
  private readonly body = document.createElement('tbody');
  private readonly scroll = document.createElement('div');
  private readonly more = document.createElement('button');
  private current = -1;

  constructor(
    parent: HTMLElement,
    private readonly events: MotionEvent[],
    private readonly seek: (event: number) => void,
  ) {
    for (const e of events) {
      this.largest.impulse = Math.max(this.largest.impulse, Math.abs(e.impulse));
      this.largest.energy = Math.max(this.largest.energy, Math.abs(e.energy));
    }
    const table = document.createElement('table'),
      head = document.createElement('thead');
    head.innerHTML =
      '<tr><th scope="col">t [s]</th><th scope="col">event</th><th scope="col">element</th><th scope="col">from → to</th><th scope="col">detail</th></tr>';
    table.append(head, this.body);
    this.scroll.className = 'scroll';
    this.scroll.tabIndex = 0;
    this.scroll.setAttribute('role', 'region');
    this.scroll.setAttribute('aria-label', 'Table of events');
    this.scroll.append(table);
    this.more.type = 'button';
    this.more.className = 'more';
    this.more.addEventListener('click', () => this.fill(this.body.rows.length + portion));
    parent.replaceChildren(this.scroll, this.more);
    this.fill(portion);
  }

  private fill(count: number): void {
    for (let i = this.body.rows.length; i < Math.min(count, this.events.length); ++i) {
      const e = this.events[i],
        row = this.body.insertRow();
      const button = document.createElement('button');
      button.type = 'button';
      button.textContent = numberText(e.t, 6);
      button.setAttribute('aria-label', `Go to t = ${numberText(e.t, 6)} s: ${eventText(e)}`);
      row.insertCell().append(button);
      const way = e.from && e.to ? `${e.from} → ${e.to}` : e.to || e.from;
      const numbers = [
        isMore(e.impulse, this.largest.impulse) ? `impulse ${numberText(e.impulse)} N s` : '',
        isMore(e.energy, this.largest.energy) ? `energy ${numberText(e.energy)} J` : '',
      ];
      const detail = [e.detail, ...numbers].filter(Boolean).join('; ');
      for (const text of [e.kind.replace(/_/g, ' '), e.element, way, detail]) row.insertCell().textContent = text;
      row.addEventListener('click', () => this.seek(i));
    }
    const left = this.events.length - this.body.rows.length;
    this.more.hidden = left === 0;
    this.more.textContent = `show ${Math.min(left, portion)} more of ${left}`;
  }

  // Marks the event that happened last; -1: none yet.
  mark(index: number): void {
    if (index === this.current) return;
    this.body.rows[this.current]?.removeAttribute('aria-current');
    this.current = index;
    if (index < 0) return;
    if (index >= this.body.rows.length) this.fill(index + portion);
    const row = this.body.rows[index];
    row.setAttribute('aria-current', 'true');
    const top = row.offsetTop - 34,
      bottom = row.offsetTop + row.offsetHeight;
    if (top < this.scroll.scrollTop) this.scroll.scrollTop = top;
    else if (bottom > this.scroll.scrollTop + this.scroll.clientHeight) this.scroll.scrollTop = bottom - this.scroll.clientHeight;
  }
}
