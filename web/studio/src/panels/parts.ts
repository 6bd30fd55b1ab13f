// The parts of the model as a list with a search. Selection is by path, as "joint.A".
import { byId, make } from '../page/dom';
import { ModelElement, Problem } from '../engine/protocol';

const titles: Record<string, string> = {
  parameters: 'Parameters', inputs: 'Inputs', body: 'Bodies', joint: 'Joints', driver: 'Drivers', profile: 'Profiles', contact: 'Contacts',
  force: 'Forces', coupling: 'Couplings', state: 'States', measure: 'Measures', event: 'Events', response: 'Responses', design: 'Design', sweep: 'Sweep', run: 'Run', units: 'Units',
};

const mostItems = 1000; // of the list: more take long to lay out

// The element that a line of the text belongs to.
export function elementAt(elements: ModelElement[], line: number): ModelElement | undefined {
  let found: ModelElement | undefined;
  for (const e of elements) if (e.at.line <= line && (!found || e.at.line >= found.at.line)) found = e;
  return found;
}

export class Parts {
  private elements: ModelElement[] = [];
  private wrong = new Set<string>();
  private selected: string[] = [];
  onSelect: (path: string, more: boolean) => void = () => {};

  constructor() {
    byId('part-search').addEventListener('input', () => this.draw());
    byId('part-list').addEventListener('keydown', (e) => this.key(e));
  }

  show(elements: ModelElement[], problems: Problem[]): void {
    this.elements = elements;
    this.wrong = new Set(problems.filter((p) => p.severity === 'error').map((p) => elementAt(elements, p.line)?.path ?? ''));
    this.draw();
  }
  // What is wrong; of a profile its body too, which the picture shows.
  get faulty(): string[] {
    const bodies = this.elements.filter((e) => e.section === 'profile' && this.wrong.has(e.path)).map((e) => 'body.' + e.fields?.find((f) => f.key === 'body')?.text);
    return [...this.wrong, ...bodies];
  }
  select(paths: string[]): void {
    this.selected = paths;
    for (const item of byId('part-list').querySelectorAll<HTMLElement>('[role=treeitem]')) item.setAttribute('aria-selected', String(paths.includes(item.dataset.path!)));
  }

  private draw(): void {
    const wanted = byId<HTMLInputElement>('part-search').value.trim().toLowerCase();
    const groups = new Map<string, ModelElement[]>();
    let found = 0;
    for (const e of this.elements) {
      if (wanted && !`${e.section} ${e.name} ${e.type ?? ''}`.toLowerCase().includes(wanted)) continue;
      if (++found > mostItems) continue;
      if (!groups.get(e.section)?.push(e)) groups.set(e.section, [e]);
    }
    const order = Object.keys(titles);
    const rank = (section: string) => (order.includes(section) ? order.indexOf(section) : order.length);
    const sections = [...groups.keys()].sort((a, b) => rank(a) - rank(b));
    const out = sections.map((section) => {
      const title = titles[section] ?? section;
      return make('div', { role: 'group', 'aria-label': title }, make('h3', { 'aria-hidden': 'true' }, title), ...groups.get(section)!.map((e) => this.item(e)));
    });
    if (found > mostItems) out.push(make('p', { class: 'what' }, `${found - mostItems} more: find them by their names.`));
    byId('part-list').replaceChildren(...out);
  }
  private item(e: ModelElement): HTMLElement {
    const item = make('button', { type: 'button', role: 'treeitem', 'data-path': e.path, 'aria-selected': String(this.selected.includes(e.path)) }, make('b', {}, e.name), make('span', {}, e.type ?? (e.source ?? '').replace(/^"(.*)"$/, '$1')));
    item.classList.toggle('wrong', this.wrong.has(e.path));
    item.addEventListener('click', (click) => this.onSelect(e.path, click.shiftKey || click.ctrlKey || click.metaKey));
    return item;
  }
  private key(e: KeyboardEvent): void {
    if (e.key !== 'ArrowDown' && e.key !== 'ArrowUp') return;
    const items = [...byId('part-list').querySelectorAll<HTMLElement>('[role=treeitem]')];
    const next = items[items.indexOf(document.activeElement as HTMLElement) + (e.key === 'ArrowDown' ? 1 : -1)];
    if (!next) return;
    e.preventDefault();
    next.focus();
  }
}
