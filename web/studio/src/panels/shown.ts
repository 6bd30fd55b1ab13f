// The menu of what is seen on the stage besides the parts: vectors, centres, normals, dimensions, the
// lens, a body that is followed, a picture to trace.
import { layerTitles } from '../../../stage/layers';
import { lengthOf, lengthUnit } from '../hand/quantities';
import { ask, byId, connectMenu, make, toast } from '../page/dom';
import type { Studio } from '../studio';
import { Gesture, Hand } from './stage_panel';
import { Point } from '../../../stage/view';

export class Shown {
  private followed = '';

  constructor(private readonly studio: Studio) {
    connectMenu('show-more', () => this.draw());
  }

  private draw(): void {
    const { studio } = this,
      { panel } = studio;
    const check = (id: string, title: string, on: boolean, enabled: boolean, action: (on: boolean) => void) => {
      const box = make('input', { type: 'checkbox', id });
      box.checked = on;
      box.disabled = !enabled;
      box.addEventListener('change', () => action(box.checked));
      return make('label', enabled ? {} : { class: 'off' }, box, ' ' + title);
    };
    const button = (id: string, title: string, action: () => void) => {
      const out = make('button', { type: 'button', id }, title);
      out.addEventListener('click', action);
      return out;
    };
    const body = studio.selectedBody,
      { background } = panel;
    // On a narrow screen their buttons have no room.
    const chips = (['traces', 'forces', 'names'] as const).filter((what) => byId('show-' + what).offsetParent === null);
    byId('show-list').replaceChildren(
      ...chips.map((what) => check('layer-' + what, byId('show-' + what).textContent!, byId('show-' + what).getAttribute('aria-pressed') === 'true', true, (on) => panel.toggle(what, on))),
      ...panel.layersThere().map((l) => check('layer-' + l.name, layerTitles[l.name], l.on, l.there, (on) => panel.setLayer(l.name, on))),
      check('layer-dimensions', 'Dimensions of what is selected', studio.dimensions.shown, true, (on) => {
        studio.dimensions.shown = on;
        studio.refreshHandles();
      }),
      check('follow', this.followed ? `Follow ${this.followed}` : body ? `Follow ${body}` : 'Follow the selected body', this.followed !== '', this.followed !== '' || (body !== undefined && body !== 'ground'), (on) => {
        this.followed = on ? body! : '';
        panel.view.follow(on ? panel.bodyIndex(body!) : -1);
      }),
      button('lens', 'Lens: 10 to 300 times', () => {
        const factor = panel.lens.next();
        byId('lens').textContent = factor > 0 ? `Lens: ${factor} times` : 'Lens: 10 to 300 times';
      }),
      background.isThere
        ? make('span', { class: 'pair' }, button('background-scale', 'Scale the picture', () => new PictureScale(studio).begin()), button('background-remove', 'Remove it', () => (background.remove(), this.draw())))
        : button('background', 'A picture to trace …', () => background.choose(() => toast('Now give it its size: "Scale the picture" asks for two places and their distance.'))),
    );
  }
}

// Two clicks on the picture, then their distance.
class PictureScale implements Hand {
  private readonly places: Point[] = [];

  constructor(private readonly studio: Studio) {}

  begin(): void {
    this.studio.panel.hand = this;
    byId('hint').textContent = 'Scale the picture: click two places of it whose distance you know.';
    byId('hint').hidden = false;
  }
  down(): boolean {
    return true;
  }
  move(): void {}
  hover(): void {}
  up(g: Gesture): void {
    this.places.push(g.at);
    if (this.places.length < 2) return;
    const { studio } = this,
      unit = lengthUnit(studio.elements),
      [a, b] = this.places;
    studio.giveHand();
    byId('hint').hidden = true;
    ask('Distance of the two places', `100 ${unit}`, (text) => {
      const length = lengthOf(text, unit);
      if (length > 0) studio.panel.background.scale(a, b, length);
      else toast('A distance is a positive length, as "100 mm".');
    });
  }
}
