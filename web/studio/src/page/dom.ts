// Small things that every panel needs of the document.
export const byId = <T extends HTMLElement>(id: string): T => document.getElementById(id) as T;

export function make<K extends keyof HTMLElementTagNameMap>(
  name: K,
  attributes: Record<string, string> = {},
  ...children: (Node | string)[]
): HTMLElementTagNameMap[K] {
  const out = document.createElement(name);
  for (const key in attributes) out.setAttribute(key, attributes[key]);
  out.append(...children);
  return out;
}

// An SVG text of the engine as an element of this document. Nothing in it runs: it is parsed as an
// image would be, and names in it are text.
export function svgOf(text: string): SVGSVGElement {
  const parsed = new DOMParser().parseFromString(text, 'image/svg+xml').documentElement;
  if (parsed.localName !== 'svg') throw new Error('the picture of the engine is not SVG');
  for (const element of [parsed, ...parsed.querySelectorAll('*')])
    for (const { name } of [...element.attributes]) if (name.startsWith('on') || name.endsWith('href')) element.removeAttribute(name);
  parsed.querySelectorAll('script, foreignObject').forEach((element) => element.remove());
  return document.importNode(parsed, true) as unknown as SVGSVGElement;
}

let hiding: ReturnType<typeof setTimeout> | undefined;
export function toast(text: string): void {
  const box = byId('toast');
  box.textContent = text;
  box.hidden = false;
  clearTimeout(hiding);
  hiding = setTimeout(() => (box.hidden = true), 3000 + 40 * text.length);
}

export function showDialog(title: string, ...body: (Node | string)[]): HTMLDialogElement {
  const dialog = byId<HTMLDialogElement>('dialog');
  byId('dialog-title').textContent = title;
  byId('dialog-body').replaceChildren(...body);
  if (!dialog.open) dialog.showModal();
  dialog.scrollTop = 0; // the button at its end has the focus
  return dialog;
}

// A menu is drawn when it opens, and a click elsewhere closes it.
export function connectMenu(id: string, draw: () => void): void {
  const menu = byId<HTMLDetailsElement>(id);
  menu.addEventListener('toggle', () => menu.open && draw());
  document.addEventListener('pointerdown', (e) => {
    if (menu.open && !menu.contains(e.target as Node)) menu.open = false;
  });
}

// One line of text, given by Enter or the button.
export function ask(title: string, value: string, then: (text: string) => void): void {
  const field = make('input', { type: 'text', value, 'aria-label': title, id: 'asked' }),
    button = make('button', { type: 'button', class: 'primary', id: 'answer' }, 'OK');
  const dialog = showDialog(title, make('div', { class: 'actions' }, field, button));
  const give = () => {
    dialog.close();
    then(field.value.trim());
  };
  button.addEventListener('click', give);
  field.addEventListener('keydown', (e) => {
    if (e.key !== 'Enter') return;
    e.preventDefault();
    give();
  });
  field.select();
}

export function download(name: string, type: string, content: BlobPart): void {
  const link = make('a', { href: URL.createObjectURL(new Blob([content], { type })), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
