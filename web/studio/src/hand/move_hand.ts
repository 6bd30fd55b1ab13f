// Move: a body follows the pointer as far as joints and contacts allow. The text stays as it is until
// "Start here" writes the position. One request is under way at a time; the newest pointer wins.
import { svgElement } from '../../../stage/stage';
import { byId } from '../page/dom';
import { MotorSliders } from './motor_sliders';
import { lengthIn, lengthUnit } from './quantities';
import { Edit, PullAnswer } from '../engine/protocol';
import { Gesture, Hand } from '../panels/stage_panel';
import type { Studio } from '../studio';
import { lengthText, Point } from '../../../stage/view';

export class MoveHand implements Hand {
  private held?: { body: string; place: Point; target: Point };
  private busy = false;
  private poses?: PullAnswer['poses'];
  private blocked = '';
  private written = false; // by "Start here"
  private ready: Promise<unknown> = Promise.resolve();

  private readonly motors: MotorSliders;

  constructor(private readonly studio: Studio) {
    this.motors = new MotorSliders(studio);
    this.motors.onPoses = (poses, message) => {
      this.poses = poses;
      studio.panel.stage?.placeBodies(poses.map(([x, y, angle]) => ({ x, y, angle })));
      studio.panel.redraw();
      byId('hint').textContent = message || 'The mechanism follows its motors.';
      byId('start-here').hidden = false;
    };
  }

  begin(): void {
    const { studio } = this;
    this.poses = undefined;
    byId('hint').textContent = 'Drag a body. It follows as far as joints and contacts allow.';
    byId('hint').hidden = false;
    if (!studio.last?.assembled) return;
    studio.results.seek(0);
    this.motors.show(true);
    this.ready = studio.engine.call('grab').catch((problem: Error) => studio.setState('bad', problem.message));
  }
  end(): void {
    this.held = undefined;
    this.motors.show(false);
    if (this.motors.used) void this.studio.read(true);
    this.motors.used = false;
    byId('hint').hidden = byId('start-here').hidden = true;
    this.studio.panel.setDrawing(() => []);
    for (const as of ['redundant', 'holding'] as const) this.studio.panel.mark(as, []);
    // What was written into the text is shown where it stands until the engine has read it.
    if (!this.written) this.studio.results.seek(this.studio.results.time);
    this.written = false;
  }

  down(g: Gesture): boolean {
    if (!g.body || g.body === 'ground' || !this.studio.last?.assembled) return false;
    const { panel } = this.studio;
    this.held = { body: g.body, place: panel.bodyPlace(panel.bodyIndex(g.body), g.at), target: g.at };
    panel.setDrawing(() => this.rubber());
    if (this.motors.used) this.takeBack();
    return true;
  }
  // After the motors were moved the engine has their copy: a pull begins at the start again.
  private takeBack(): void {
    const { engine, editor } = this.studio;
    this.motors.used = false;
    this.motors.show(true);
    this.ready = engine.call('read', { text: editor.text }).then(() => engine.call('grab'));
  }
  move(g: Gesture): void {
    if (!this.held) return;
    this.held.target = g.at;
    void this.follow();
  }
  up(): void {
    this.held = undefined;
    this.studio.panel.redraw();
  }
  hover(): void {}

  private async follow(): Promise<void> {
    if (this.busy) return;
    this.busy = true;
    try {
      await this.ready;
      for (let done: Point | undefined; this.held && this.held.target !== done; ) {
        const { body, place, target } = this.held;
        done = target;
        const answer = await this.studio.engine.call('pull', { body, place: [place.x, place.y], target: [target.x, target.y] });
        this.show(answer);
      }
    } catch (problem) {
      this.studio.setState('bad', (problem as Error).message);
    } finally {
      this.busy = false;
    }
  }
  private show(answer: PullAnswer): void {
    const { panel } = this.studio;
    this.poses = answer.poses;
    panel.stage?.placeBodies(answer.poses.map(([x, y, angle]) => ({ x, y, angle })));
    const far = answer.distance * panel.view.pixelsPerMetre > 6;
    const list = (names: string[]) => (names.length > 4 ? `${names.slice(0, 3).join(', ')} and ${names.length - 3} more` : names.join(', '));
    const joint = answer.holding ? `joint ${answer.holding} holds it` : 'the joints allow no more';
    this.blocked = !far ? '' : answer.jammed ? `Jammed: contact ${answer.blocking} holds it, and it cannot move in any direction` : answer.blocking ? `Contact ${answer.blocking} is in the way` : answer.dead ? `Dead position, ${joint}` : joint.charAt(0).toUpperCase() + joint.slice(1);
    const words = this.blocked ? [`${this.blocked}: ${lengthText(answer.distance)} short.`] : [];
    if (answer.redundant.length > 0) words.push(`Redundant in this position: joint${answer.redundant.length > 1 ? 's' : ''} ${list(answer.redundant)}.`);
    byId('hint').textContent = words.join(' ') || 'Drag a body. It follows as far as joints and contacts allow.';
    this.motors.showPoses(answer.poses);
    panel.mark('redundant', answer.redundant.map((name) => 'joint.' + name));
    panel.mark('holding', far && answer.holding ? ['joint.' + answer.holding] : []);
    byId('start-here').hidden = false;
    panel.redraw();
  }
  private rubber(): SVGElement[] {
    if (!this.held || !this.blocked) return [];
    const { panel } = this.studio,
      { body, place, target } = this.held;
    const a = panel.view.toScreen(panel.groundPlace(panel.bodyIndex(body), place.x, place.y)),
      b = panel.view.toScreen(target);
    return [svgElement('line', { class: 'rubber', x1: a.x, y1: a.y, x2: b.x, y2: b.y })];
  }

  // Writes position and angle of every body.
  startHere(): void {
    const { studio } = this;
    if (!this.poses) return;
    const unit = lengthUnit(studio.elements),
      step = 1e-6;
    const edits: Edit[] = this.poses.flatMap(([x, y, angle], i) => {
      const path = `body.${studio.panel.bodyName(i + 1)}`;
      return [
        { kind: 'set' as const, path: path + '.position', value: `[${lengthIn(x, unit, step)}, ${lengthIn(y, unit, step)}]` },
        { kind: 'set' as const, path: path + '.angle', value: JSON.stringify(`${((angle * 180) / Math.PI).toFixed(4).replace(/\.?0+$/, '')} deg`) },
      ];
    });
    void studio.edit(edits).then((done) => {
      if (!done) return;
      this.written = true;
      studio.setMode('build');
    });
  }
}
