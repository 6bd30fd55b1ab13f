// The properties of what is selected, as forms made from the description of the model format; of
// nothing: the parameters. An entry is one edit of the text.
import { numberText } from '../../../stage/data';
import { byId, make } from '../page/dom';
import { Edit, FieldOfElement, FormatField, FormatTable, ModelElement, ParameterInfo } from '../engine/protocol';

export interface Actions {
  edit(edits: Edit[], focus?: string): void;
  goTo(element: ModelElement): void;
  preview(edits: Edit[]): void; // while a slider is dragged
  setInRun(name: string, value: string): void;
  isRunning(): boolean;
  flip(element: ModelElement): Edit[]; // to the other assembly mode; none where there is none
}

const mostParameters = 100; // in one form

// A value as people write it: of a string its text, else TOML.
const shown = (field: FieldOfElement | undefined) => field?.text ?? field?.source ?? '';

// TOML of what was typed into a field: words that are meant as text are quoted.
function tomlOf(typed: string, form: string): string {
  const isText = ['text', 'choice', 'unit', 'body', 'joint', 'place', 'profile', 'point_of_body', 'contact_side'].includes(form);
  return isText ? JSON.stringify(typed) : typed;
}

// The units that the file gives to plain numbers, by those of SI.
function unitsOf(elements: ModelElement[]): Map<string, string> {
  const si: Record<string, string> = { length: 'm', angle: 'rad', mass: 'kg', time: 's', force: 'N' };
  const fields = elements.find((e) => e.path === 'units')?.fields ?? [];
  return new Map(fields.filter((f) => f.key in si && f.text).map((f) => [si[f.key], f.text!]));
}

export class Properties {
  private format: FormatTable[] = [];
  private names = new Map<string, string[]>(); // by section
  private shownPath?: string;
  private units = new Map<string, string>(); // of plain numbers, by their SI unit

  constructor(private readonly actions: Actions) {}

  setFormat(format: FormatTable[]): void {
    this.format = format;
  }

  // `selected`: how many elements are; several are only counted.
  show(element: ModelElement | undefined, elements: ModelElement[], parameters: ParameterInfo[], selected = 1): void {
    const panel = byId('properties');
    const isOpen = element?.path === this.shownPath && (panel.querySelector('details')?.open ?? false);
    this.shownPath = element?.path;
    const active = panel.contains(document.activeElement) ? (document.activeElement as HTMLElement).id : '';
    this.names.clear();
    this.units = unitsOf(elements);
    for (const e of elements) if (!this.names.get(e.section)?.push(e.name)) this.names.set(e.section, [e.name]);
    panel.replaceChildren(...(selected > 1 ? [make('h2', {}, `${selected} parts`), make('p', { class: 'what' }, 'Arrow keys move the bodies, Delete removes all. Shift and click adds or takes away one.')] : element ? this.form(element, parameters) : this.parameterList(elements, parameters)));
    const more = panel.querySelector('details');
    if (more) more.open = isOpen; // as it was left
    if (active) document.getElementById(active)?.focus();
  }

  private parameterList(elements: ModelElement[], parameters: ParameterInfo[]): HTMLElement[] {
    const out: HTMLElement[] = [make('h2', {}, 'Parameters')];
    if (parameters.length === 0) return [...out, make('p', { class: 'what' }, 'This model has no parameters. Click a part to see its properties.')];
    out.push(make('p', { class: 'what' }, this.actions.isRunning() ? 'Changes act on the run from now on; the text stays as it is.' : 'Changes go into the text. Click a part to see its properties.'));
    for (const p of parameters.slice(0, mostParameters)) out.push(this.parameter(p, elements));
    if (parameters.length > mostParameters) out.push(make('p', { class: 'what' }, `${parameters.length - mostParameters} more: find them on the left.`));
    return out;
  }
  private parameter(p: ParameterInfo, elements: ModelElement[]): HTMLElement {
    const section = p.input ? 'inputs' : 'parameters',
      element = elements.find((e) => e.path === `${section}.${p.name}`);
    const source = element?.fields?.find((f) => f.key === 'value') ?? (element && { key: '', at: element.at, source: element.source });
    const written = shown(source).replace(/^"(.*)"$/, '$1');
    const id = 'parameter-' + p.name;
    const apply = (value: string) =>
      this.actions.isRunning() ? this.actions.setInRun(p.name, value) : this.actions.edit([{ kind: 'set', path: `${section}.${p.name}`, value }]);
    const input = make('input', { type: 'text', id, value: written, 'aria-describedby': id + '-now' });
    input.addEventListener('change', () => apply(input.value));
    const row = make('div', { class: 'field' }, make('label', { for: id }, p.name), input);
    if (p.min !== undefined && p.max !== undefined) {
      const range = make('input', { type: 'range', min: String(p.min), max: String(p.max), step: String((p.max - p.min) / 200), value: String(p.value), 'aria-label': p.name });
      // In the unit that it is written in.
      const [, number, unit] = /^([-+]?[\d.]+(?:e[-+]?\d+)?)\s*([^\d].*)?$/.exec(written) ?? [],
        size = Number(number) !== 0 && p.value !== 0 ? p.value / Number(number) : NaN;
      const now = () => (Number.isFinite(size) ? `${Number((Number(range.value) / size).toPrecision(4))} ${unit ?? ''}`.trim() : `${Number(Number(range.value).toPrecision(4))} ${p.unit}`.trim());
      range.addEventListener('input', () => {
        input.value = now();
        if (this.actions.isRunning()) apply(now());
        else this.actions.preview([{ kind: 'set', path: `${section}.${p.name}`, value: now() }]);
      });
      range.addEventListener('change', () => !this.actions.isRunning() && apply(now()));
      row.append(range);
    }
    // A number says enough; what an expression gives is worth a line.
    const isPlain = /^[-+]?[\d_.]+(e[-+]?\d+)?(\s*[a-z°%µ][\w\s^/*]*)?$/i.test(written);
    row.append(make('small', { id: id + '-now', ...(isPlain ? { hidden: '' } : {}) }, `= ${numberText(p.value)} ${p.unit}`));
    return row;
  }

  private form(element: ModelElement, parameters: ParameterInfo[]): HTMLElement[] {
    const table = this.format.find((t) => t.name === element.section);
    const kind = table?.kinds.find((k) => k.name === element.type);
    const head = make('h2', {}, `${element.section} ${element.name === element.section ? '' : element.name}`);
    const out: HTMLElement[] = [head, make('p', { class: 'what' }, kind?.summary ?? table?.summary ?? '')];
    if (element.path.includes('.')) out.push(this.buttons(element));
    if (element.section === 'parameters' || element.section === 'inputs') {
      const info = parameters.find((p) => p.name === element.name);
      return info ? [...out, this.parameter(info, [element])] : out;
    }
    if (!table || !element.fields) return out;
    if (table.kinds.length > 1) out.push(this.kindChoice(element, table));
    const fields = [...table.fields, ...(kind?.fields ?? [])].filter((f) => f.name !== table.key);
    const given = (f: FormatField) => element.fields!.find((e) => e.key === f.name);
    for (const field of fields.filter(given)) out.push(this.field(element, field, given(field)));
    const others = fields.filter((f) => !given(f));
    if (others.length > 0) {
      const more = make('details', {}, make('summary', {}, `More (${others.length})`));
      for (const field of others) more.append(this.field(element, field, undefined));
      out.push(more);
    }
    return out;
  }
  private buttons(element: ModelElement): HTMLElement {
    const name = make('input', { type: 'text', value: element.name, 'aria-label': 'Name', id: 'property-name' });
    name.addEventListener('change', () => this.actions.edit([{ kind: 'rename', path: element.path, value: name.value.trim() }], `${element.section}.${name.value.trim()}`));
    const text = make('button', { type: 'button' }, 'Show in text'),
      remove = make('button', { type: 'button', title: 'Delete, with the parts that refer to it (Del)' }, 'Delete');
    text.addEventListener('click', () => this.actions.goTo(element));
    remove.addEventListener('click', () => this.actions.edit([{ kind: 'remove', path: element.path }], ''));
    const row = make('div', { class: 'field' }, make('label', { for: 'property-name' }, 'name'), name);
    const actions = make('div', { class: 'actions' }, text, remove);
    if (this.actions.flip(element).length > 0) {
      const other = make('button', { type: 'button', id: 'flip', title: 'The other way to put these two bodies together' }, 'Flip');
      other.addEventListener('click', () => this.actions.edit(this.actions.flip(element), element.path));
      actions.append(other);
    }
    return make('div', {}, row, actions);
  }
  private kindChoice(element: ModelElement, table: FormatTable): HTMLElement {
    const id = 'property-' + table.key;
    const select = make('select', { id });
    for (const k of table.kinds) select.add(new Option(k.name, k.name, false, k.name === element.type));
    select.addEventListener('change', () => this.actions.edit([{ kind: 'set', path: `${element.path}.${table.key}`, value: JSON.stringify(select.value) }], element.path));
    return make('div', { class: 'field' }, make('label', { for: id }, table.key), select);
  }
  private field(element: ModelElement, field: FormatField, given: FieldOfElement | undefined): HTMLElement {
    const id = 'property-' + field.name,
      path = `${element.path}.${field.name}`;
    const label = make('label', { for: id }, field.name);
    if (field.unit) label.append(' ', make('span', { class: 'unit' }, `[${this.units.get(field.unit) ?? field.unit}]`));
    if (given?.fields && !given.source?.includes('\n')) return this.table(id, path, element, label, field.doc, given.fields);
    const input = this.input(id, field, given);
    input.addEventListener('change', () => {
      const value = input instanceof HTMLInputElement && input.type === 'checkbox' ? String(input.checked) : input.value.trim();
      if (value === '' && given) this.actions.edit([{ kind: 'remove', path }], element.path);
      else if (value !== '') this.actions.edit([{ kind: 'set', path, value: tomlOf(value, field.form) }], element.path);
    });
    const doc = field.doc + (field.default && !given ? `; default: ${field.default}` : '');
    return make('div', { class: 'field' }, label, input, make('small', {}, doc));
  }
  // The entries of a table on one line of the text, a row each.
  private table(id: string, path: string, element: ModelElement, label: HTMLElement, doc: string, entries: FieldOfElement[]): HTMLElement {
    const rows = entries.map((entry, i) => {
      const input = make('input', { type: 'text', value: shown(entry), id: i === 0 ? id : `${id}-${entry.key}`, 'aria-label': `${path.split('.').pop()} ${entry.key}` });
      input.addEventListener('change', () => {
        const value = input.value.trim();
        this.actions.edit([value === '' ? { kind: 'remove', path: `${path}.${entry.key}` } : { kind: 'set', path: `${path}.${entry.key}`, value: entry.text === undefined ? value : JSON.stringify(value) }], element.path);
      });
      return make('div', { class: 'entry' }, make('span', {}, entry.key), input);
    });
    return make('div', { class: 'field' }, label, make('div', { class: 'entries' }, ...rows), make('small', {}, doc));
  }
  private input(id: string, field: FormatField, given: FieldOfElement | undefined): HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement {
    const references: Record<string, string[]> = { body: ['body'], joint: ['joint'], profile: ['profile'], contact_side: ['profile', 'body'] };
    const choices = field.choices ?? references[field.form]?.flatMap((section) => this.names.get(section) ?? []);
    if (choices) {
      const select = make('select', { id });
      if (!given) select.add(new Option('', ''));
      for (const c of new Set([...choices, ...(given ? [shown(given)] : [])])) select.add(new Option(c, c, false, given !== undefined && c === shown(given)));
      return select;
    }
    if (field.form === 'flag') {
      const box = make('input', { id, type: 'checkbox' });
      box.checked = given?.source === 'true';
      return box;
    }
    const value = shown(given);
    if (value.includes('\n')) {
      const lines = make('textarea', { id, rows: String(Math.min(12, value.split('\n').length)), spellcheck: 'false' });
      lines.value = value;
      return lines;
    }
    return make('input', { id, type: 'text', value, ...(field.default ? { placeholder: field.default } : {}) });
  }
}
