// The table of events. Long tables are filled as far as they are looked at.
import { MotionEvent, numberText } from './data';

const portion = 100; // rows

// Kinds in words, where their names in the tables say too little.
const words: Record<string, string> = { time: 'law change', user: 'condition met', painleve: 'Painlevé' };
export const kindText = (kind: string) => words[kind] ?? kind.replace(/_/g, ' ');

export function eventText(e: MotionEvent): string {
  const way = e.from && e.to ? `${e.from} → ${e.to}` : e.to || e.from;
  return [kindText(e.kind), e.element, way && `(${way})`].filter(Boolean).join(' ');
}

// Beside the largest of its kind, less than this is rounding.
const isMore = (value: number, largest: number) => Math.abs(value) > 1e-9 * largest;

export class EventTable {
  private readonly largest = { impulse: 0, energy: 0 };
  private readonly body = document.createElement('tbody');
  private readonly rows: HTMLTableRowElement[] = []; // of events; details have rows of their own
  private readonly scroll = document.createElement('div');
  private readonly more = document.createElement('button');
  private readonly off = new Set<string>(); // kinds that are not listed
  private wanted = portion; // rows to be seen
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
    const names = head.insertRow();
    for (const name of ['t [s]', 'event', 'element', 'from → to', 'detail']) {
      const cell = document.createElement('th');
      cell.scope = 'col';
      cell.textContent = name;
      names.append(cell);
    }
    table.append(head, this.body);
    this.scroll.className = 'scroll';
    this.scroll.tabIndex = 0;
    this.scroll.setAttribute('role', 'region');
    this.scroll.setAttribute('aria-label', 'Table of events');
    this.scroll.append(table);
    this.more.type = 'button';
    this.more.className = 'more';
    this.more.addEventListener('click', () => this.fill((this.wanted += portion)));
    parent.replaceChildren(...this.filters(), this.scroll, this.more);
    this.fill(portion);
  }

  // A button for each kind with its number; with one kind there is nothing to choose.
  private filters(): HTMLElement[] {
    const counts = new Map<string, number>();
    for (const e of this.events) counts.set(e.kind, (counts.get(e.kind) ?? 0) + 1);
    if (counts.size < 2) return [];
    const group = document.createElement('div');
    group.className = 'kinds';
    group.setAttribute('role', 'group');
    group.setAttribute('aria-label', 'Kinds of events that are listed');
    for (const [kind, count] of counts) {
      const button = document.createElement('button');
      button.type = 'button';
      button.className = 'kind';
      button.dataset.kind = kind;
      button.setAttribute('aria-pressed', 'true');
      button.textContent = `${kindText(kind)} ${count}`;
      button.addEventListener('click', () => {
        if (!this.off.delete(kind)) this.off.add(kind);
        button.setAttribute('aria-pressed', String(!this.off.has(kind)));
        this.body.querySelectorAll('.whole').forEach((row) => row.remove());
        this.rows.forEach((row, i) => (row.hidden = this.off.has(this.events[i].kind)));
        this.fill(this.wanted);
      });
      group.append(button);
    }
    return [group];
  }

  // Until so many rows are seen.
  private fill(count: number): void {
    let seen = this.rows.reduce((n, row) => n + (row.hidden ? 0 : 1), 0);
    for (let i = this.rows.length; i < this.events.length && seen < count; ++i) if (!this.addRow(i).hidden) ++seen;
    const left = this.events.length - this.rows.length;
    this.more.hidden = left === 0;
    this.more.textContent = `show ${Math.min(left, portion)} more of ${left}`;
  }
  private addRow(i: number): HTMLTableRowElement {
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
    for (const text of [kindText(e.kind), e.element, way]) row.insertCell().textContent = text;
    this.rows.push(row);
    this.addDetail(row, [...numbers, e.detail].filter(Boolean).join('; '));
    row.hidden = this.off.has(e.kind);
    row.addEventListener('click', () => this.seek(i));
    return row;
  }
  // One line; its mark opens another one below it with all of it.
  private addDetail(row: HTMLTableRowElement, text: string): void {
    const cell = row.insertCell();
    if (text === '') return;
    const open = document.createElement('button');
    open.type = 'button';
    open.textContent = '…';
    open.title = text;
    open.setAttribute('aria-expanded', 'false');
    open.setAttribute('aria-label', 'Detail');
    open.addEventListener('click', (e) => {
      e.stopPropagation();
      const next = row.nextElementSibling;
      const isOpen = next?.classList.contains('whole') ?? false;
      open.setAttribute('aria-expanded', String(!isOpen));
      if (isOpen) return next!.remove();
      const whole = document.createElement('tr');
      whole.className = 'whole';
      const words = whole.insertCell();
      words.colSpan = 5;
      words.textContent = text;
      row.after(whole);
    });
    const short = document.createElement('span');
    short.textContent = text;
    cell.append(open, short);
  }

  // Marks the event that happened last; -1: none yet.
  mark(index: number): void {
    if (index === this.current) return;
    this.rows[this.current]?.removeAttribute('aria-current');
    this.current = index;
    if (index < 0) return;
    while (index >= this.rows.length) this.addRow(this.rows.length);
    this.fill(0);
    const row = this.rows[index];
    row.setAttribute('aria-current', 'true');
    const top = row.offsetTop - 34,
      bottom = row.offsetTop + row.offsetHeight;
    if (top < this.scroll.scrollTop) this.scroll.scrollTop = top;
    else if (bottom > this.scroll.scrollTop + this.scroll.clientHeight) this.scroll.scrollTop = bottom - this.scroll.clientHeight;
  }
}
