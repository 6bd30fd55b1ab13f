// The keys of the page. Text fields and the editor keep theirs.
import { byId, make, showDialog } from './dom';
import type { Studio } from '../studio';

const list: [string, string][] = [
  ['R', 'run, pause or continue'],
  ['Space', 'play or pause'],
  ['← →', 'one sample back or forward'],
  ['arrows', 'on the stage: move what is selected by a step of the grid'],
  ['Enter', 'on the stage: edit what is selected'],
  ['Tab', 'on the stage: select the part below the last click'],
  ['P N', 'previous or next event'],
  ['Home End', 'start or end'],
  ['B M', 'build or move'],
  ['L G U T O', 'draw a link, a pin to ground, a guide, a slot, a motor'],
  ['S D W', 'draw a spring, a damper, a weight'],
  ['F J C K', 'draw a profile, a smooth profile, a circle, a contact'],
  ['E Y', 'draw gears, a rack'],
  ['Q I H', 'copy, mirror, repeat the selected body about a centre'],
  ['25\u00a0mm Tab 30 Enter', 'while drawing: the length, the angle, done'],
  ['X', 'while drawing a shape: it belongs to the ground, or is a body of its own'],
  ['arrows Enter', 'while drawing: move the cursor by a step of the grid, click there'],
  ['Alt Shift', 'while drawing: no snapping, steps of 15°'],
  ['+ − 0', 'zoom in, zoom out, show everything'],
  ['Shift+arrows', 'pan'],
  ['Delete', 'delete what is selected and everything that depends on it'],
  ['Esc', 'end the tool, then the selection'],
  ['Ctrl+Z Ctrl+Shift+Z', 'undo, redo'],
  ['Ctrl+S', 'save'],
  ['?', 'this list'],
];

export class Keys {
  constructor(private readonly studio: Studio) {
    document.addEventListener('keydown', (e) => this.key(e));
    byId('help').addEventListener('click', () => this.help());
  }

  private help(): void {
    const keys = make('dl');
    for (const [key, what] of list) keys.append(make('dt', {}, ...key.split(' ').flatMap((k) => [make('kbd', {}, k), ' '])), make('dd', {}, what));
    showDialog('Keys', make('p', {}, 'Click a part to see its properties; a second click at the same place selects the part underneath. Drag a box from left to right to select what it encloses, from right to left to select what it crosses. In Build, drag the round handles of a selected part; in Move, drag the body itself, with Run while the clock runs. The wheel zooms; the right button, the middle one or a finger pans.'), keys);
  }
  private key(e: KeyboardEvent): void {
    const at = e.composedPath()[0] as HTMLElement;
    const typing = at.isContentEditable || at instanceof HTMLSelectElement || at instanceof HTMLTextAreaElement || (at instanceof HTMLInputElement && !['range', 'checkbox'].includes(at.type));
    const control = e.ctrlKey || e.metaKey,
      onDesk = !byId('desk').hidden;
    if (byId<HTMLDialogElement>('dialog').open) return;
    if (control && e.key.toLowerCase() === 's' && onDesk) return this.take(e, () => this.studio.documents.save());
    if (control && e.key.toLowerCase() === 'z' && onDesk && !at.isContentEditable) return this.take(e, () => (e.shiftKey ? this.studio.editor.redo() : this.studio.editor.undo()));
    if (e.key === 'Escape' && onDesk && !typing) return this.take(e, () => this.escape());
    if (control || e.altKey || typing) return;
    const arrow = e.key.startsWith('Arrow');
    if (onDesk && !(arrow && (e.shiftKey || at instanceof HTMLInputElement || at.closest('[role=tree]'))) && this.studio.tools.type(e.key)) return this.take(e, () => {});
    if (e.key === '?') return this.take(e, () => this.help());
    // Buttons, and what opens a menu, keep their keys.
    if (!onDesk || ((e.key === ' ' || e.key === 'Enter') && at.matches('button, summary, a, input'))) return;
    if (arrow && (at instanceof HTMLInputElement || at.closest('[role=tree]'))) return;
    if (e.key === 'Tab' && at === byId('canvas') && !e.shiftKey && this.studio.selectDeeper()) return this.take(e, () => {});
    const action = this.actions(e)[e.key.length === 1 ? e.key.toLowerCase() : e.key];
    if (action) this.take(e, action);
  }
  private take(e: KeyboardEvent, action: () => unknown): void {
    e.preventDefault();
    action();
  }
  private escape(): void {
    if (!this.studio.tools.end()) this.studio.select('', false);
  }
  private actions(e: KeyboardEvent): Record<string, () => unknown> {
    const { studio } = this,
      { view } = studio.panel;
    // On the stage arrows move what is selected by a step of the grid; else they step through the rows.
    const onStage = document.activeElement === byId('canvas');
    const arrow = (x: number, y: number, row: number) => {
      if (e.shiftKey) view.pan(40 * x, 40 * y);
      else if (!(onStage && studio.nudge(-x, y)) && row !== 0) studio.results.step('row', row);
    };
    return {
      r: () => studio.run(),
      ' ': () => byId('play').click(),
      ArrowLeft: () => arrow(1, 0, -1),
      ArrowRight: () => arrow(-1, 0, 1),
      ArrowUp: () => arrow(0, 1, 0),
      ArrowDown: () => arrow(0, -1, 0),
      p: () => studio.results.step('event', -1),
      n: () => studio.results.step('event', 1),
      Home: () => studio.results.seek(0),
      End: () => studio.results.seek(Infinity),
      b: () => studio.setMode('build'),
      m: () => studio.setMode('move'),
      '+': () => view.zoom(1.3),
      '=': () => view.zoom(1.3),
      '-': () => view.zoom(1 / 1.3),
      '0': () => view.fit(),
      Delete: () => studio.remove(),
      Backspace: () => studio.remove(),
      ...studio.tools.keys(),
      Enter: () => studio.tools.finishOr(() => onStage && studio.editSelected()),
    };
  }
}
