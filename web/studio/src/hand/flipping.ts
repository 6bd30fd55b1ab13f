// The other assembly mode of two bodies that a pin joins: the pin goes to the other side of the line
// between their other pins, and both bodies turn with it.
import { Point } from '../../../stage/view';
import { Edit, ModelElement } from '../engine/protocol';
import type { Studio } from '../studio';
import { lengthIn, lengthUnit } from './quantities';

// Where the pins of a body are, on the ground, by the names of their joints.
function pinsOf(studio: Studio, body: string): Map<string, Point> {
  const out = new Map<string, Point>(),
    index = studio.panel.bodyIndex(body);
  for (const joint of studio.elements) {
    if (joint.section !== 'joint' || joint.type !== 'revolute') continue;
    for (const end of joint.fields!.filter((f) => f.key === 'a' || f.key === 'b')) {
      const [name, point] = (end.text ?? '').split('.');
      if (name !== body) continue;
      const place = studio.last?.points?.find((p) => p.body === body && p.name === point) ?? { x: 0, y: 0 };
      out.set(joint.name, studio.panel.groundPlace(index, place.x, place.y));
    }
  }
  return out;
}

// The edits that flip a joint; none where it is not the middle of two links.
export function flip(studio: Studio, joint: ModelElement | undefined): Edit[] {
  if (joint?.section !== 'joint' || joint.type !== 'revolute' || !studio.panel.stage) return [];
  const bodies = joint.fields!.filter((f) => f.key === 'a' || f.key === 'b').map((f) => (f.text ?? '').split('.')[0]);
  if (bodies.length !== 2 || bodies.includes('ground')) return [];
  const ends = bodies.map((body) => {
    const pins = pinsOf(studio, body),
      own = pins.get(joint.name);
    pins.delete(joint.name);
    return pins.size === 1 && own ? { own, other: [...pins.values()][0] } : undefined;
  });
  const [one, two] = ends;
  if (!one || !two) return [];
  const line = Math.atan2(two.other.y - one.other.y, two.other.x - one.other.x),
    unit = lengthUnit(studio.elements);
  return bodies.flatMap((body, i): Edit[] => {
    const { own, other } = ends[i]!,
      turn = 2 * (line - Math.atan2(own.y - other.y, own.x - other.x)),
      pose = studio.panel.stage!.poseOf(studio.panel.bodyIndex(body));
    // The body turns about its other pin.
    const c = Math.cos(turn),
      s = Math.sin(turn),
      d = { x: pose.x - other.x, y: pose.y - other.y };
    const at = { x: other.x + c * d.x - s * d.y, y: other.y + s * d.x + c * d.y };
    const degrees = ((((((pose.angle + turn) * 180) / Math.PI + 180) % 360) + 360) % 360) - 180;
    return [
      { kind: 'set', path: `body.${body}.position`, value: `[${lengthIn(at.x, unit, 1e-6)}, ${lengthIn(at.y, unit, 1e-6)}]` },
      { kind: 'set', path: `body.${body}.angle`, value: JSON.stringify(`${Number(degrees.toFixed(4))} deg`) },
    ];
  });
}
