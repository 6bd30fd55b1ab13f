// Copies of a body with its profiles: beside it, turned about a centre, or mirrored on a line. Joints
// are not copied.
import { Point } from '../../../stage/view';
import { Edit, FieldOfElement } from '../engine/protocol';
import type { Studio } from '../studio';
import { Drawing } from './drawing';
import { negated } from './quantities';

interface Placed {
  at: Point; // m
  angle: number; // rad
  mirrored: boolean;
}

export class Copying {
  private readonly drawing: Drawing;

  constructor(private readonly studio: Studio) {
    this.drawing = new Drawing(studio);
  }
  get edits(): Edit[] {
    return this.drawing.edits;
  }

  beside(body: string, by: Point): string {
    const { at, angle } = this.poseOf(body);
    return this.copy(body, { at: { x: at.x + by.x, y: at.y + by.y }, angle, mirrored: false });
  }
  // `count` in all, at equal angles about a centre.
  around(body: string, centre: Point, count: number): string {
    const { at, angle } = this.poseOf(body),
      d = { x: at.x - centre.x, y: at.y - centre.y };
    let last = '';
    for (let k = 1; k < count; ++k) {
      const turn = (2 * Math.PI * k) / count,
        c = Math.cos(turn),
        s = Math.sin(turn);
      last = this.copy(body, { at: { x: centre.x + c * d.x - s * d.y, y: centre.y + s * d.x + c * d.y }, angle: angle + turn, mirrored: false });
    }
    return last;
  }
  // On the line through a and b: the axes of the body are mirrored on their x axis, then turned.
  mirrored(body: string, a: Point, b: Point): string {
    const { at, angle } = this.poseOf(body),
      line = Math.atan2(b.y - a.y, b.x - a.x),
      c = Math.cos(2 * line),
      s = Math.sin(2 * line),
      d = { x: at.x - a.x, y: at.y - a.y };
    return this.copy(body, { at: { x: a.x + c * d.x + s * d.y, y: a.y + s * d.x - c * d.y }, angle: 2 * line - angle, mirrored: true });
  }

  private poseOf(body: string): { at: Point; angle: number } {
    const { stage } = this.studio.panel,
      pose = stage!.poseOf(this.studio.panel.bodyIndex(body));
    return { at: { x: pose.x, y: pose.y }, angle: pose.angle };
  }
  private copy(body: string, to: Placed): string {
    const { drawing } = this,
      fields = this.studio.element(`body.${body}`)?.fields ?? [];
    const name = drawing.fresh('body', body.replace(/\d+$/, ''));
    const values: [string, string][] = [
      ['position', drawing.vector(to.at)],
      ['angle', JSON.stringify(`${Number(((to.angle * 180) / Math.PI).toFixed(4))} deg`)],
    ];
    for (const f of fields) {
      if (['position', 'angle', 'exact', 'velocity', 'omega', 'ground_points'].includes(f.key)) continue;
      if (f.source !== undefined && !(to.mirrored && (f.key === 'centre' || f.key === 'points'))) values.push([f.key, f.source]);
      else if (f.key === 'centre') values.push([f.key, mirroredPlace(f)]);
      else if (f.key === 'points') values.push([f.key, `{ ${(f.fields ?? []).map((p) => `${p.key} = ${to.mirrored ? mirroredPlace(p) : p.source}`).join(', ')} }`]);
    }
    drawing.insert(`body.${name}`, values);
    for (const profile of this.studio.elements.filter((e) => e.section === 'profile' && e.fields?.some((f) => f.key === 'body' && f.text === body))) this.copyProfile(profile.name, profile.fields!, name, to.mirrored);
    return `body.${name}`;
  }
  // It takes the elements of the first one and has its place.
  private copyProfile(of: string, fields: FieldOfElement[], body: string, mirrored: boolean): void {
    const name = this.drawing.fresh('profile', of.replace(/\d+$/, '')),
      like = fields.find((f) => f.key === 'like')?.text ?? of;
    const values: [string, string][] = [['body', JSON.stringify(body)], ['like', JSON.stringify(like)]];
    for (const f of fields) {
      if (['body', 'like', 'elements', 'mirror'].includes(f.key) || f.source === undefined) continue;
      values.push([f.key, mirrored && f.key === 'at' && f.items ? mirroredPlace(f) : mirrored && f.key === 'angle' ? negated(f.source) : f.source]);
    }
    const was = fields.find((f) => f.key === 'mirror')?.source === 'true';
    if (was !== mirrored) values.push(['mirror', 'true']);
    this.drawing.insert(`profile.${name}`, values);
  }
}

// "[x, y]" with the other sign of y.
function mirroredPlace(f: FieldOfElement): string {
  return f.items?.length === 2 ? `[${f.items[0].source}, ${negated(f.items[1].source ?? '0')}]` : (f.source ?? '[0, 0]');
}
