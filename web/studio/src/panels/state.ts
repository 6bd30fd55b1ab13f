// The state of the model in one line over the stage: its words, its look, and where a click leads.
import { Data, numberText } from '../../../stage/data';
import { Outcome, Place, Problem, ReadAnswer } from '../engine/protocol';
import { byId, make } from '../page/dom';

export interface State {
  kind: 'good' | 'warn' | 'bad' | 'busy';
  text: string;
  place?: Place; // of the text, that a click leads to
  path?: string; // of the element
}

export const stiffNote = ' · stiff: the program has an integrator for this, the page takes many short steps';

const plural = (count: number, word: string) => `${count} ${word}${count === 1 ? '' : 's'}`;

export function stateOf(read: ReadAnswer, outcome?: Outcome): State {
  const of = (severity: Problem['severity']) => read.problems.filter((p) => p.severity === severity);
  if (!read.motion) return wrong(of('error'));
  if (!read.assembled) return { kind: 'bad', text: read.message ?? 'The parts do not fit together.', path: read.motion.gaps?.[0] && `joint.${read.motion.gaps[0].joint}` };
  if (outcome && !outcome.complete) return { kind: 'bad', text: endedEarly(outcome) };
  const warnings = of('warning'),
    failed = outcome?.audit?.verdict !== undefined && outcome.audit.verdict !== 'passed';
  const words = [failed ? 'The run ended, but its audit failed: export the report to see why' : freedom(read, outcome)];
  if (warnings.length > 0) words.push(warnings.length === 1 ? warnings[0].message : plural(warnings.length, 'warning'));
  return { kind: failed || warnings.length > 0 ? 'warn' : 'good', text: words.join(' · '), place: warnings.find((w) => w.line > 0) };
}
function wrong(errors: Problem[]): State {
  const first = errors[0],
    more = errors.length > 1 ? ` (and ${plural(errors.length - 1, 'more error')})` : '';
  if (!first) return { kind: 'bad', text: 'The text cannot be read.' };
  return { kind: 'bad', text: `${first.line > 0 ? `Line ${first.line}: ` : ''}${first.message}${more}`, place: first.line > 0 ? first : undefined };
}
function endedEarly({ message, status, motion }: Outcome): string {
  const text = message || status.replace(/_/g, ' ');
  if (/\bt = /.test(text)) return text;
  return `Stopped at t = ${numberText(new Data(motion.about, (i) => motion.blocks[i]).end)} s: ${text}`;
}
function freedom({ elements, run, freedom: known }: ReadAnswer, outcome?: Outcome): string {
  if (run?.analysis === 'dynamics' && outcome) return `Completed${outcome.audit?.verdict ? ', audit passed' : ''}${outcome.stiff ? stiffNote : ''}`;
  if (elements && !elements.some((e) => e.section === 'body' || e.section === 'profile')) return 'Nothing is drawn yet';
  const { degrees = 0, redundant: { length: redundant } = [] } = known ?? {};
  return `${degrees} degree${degrees === 1 ? '' : 's'} of freedom${redundant > 0 ? `, ${redundant} redundant` : ''}${run?.analysis === 'dynamics' ? ' · ready to run' : ''}`;
}

export class StateLine {
  private now: State = { kind: 'good', text: '' };

  constructor(lead: (to: State) => void) {
    byId('state').addEventListener('click', () => {
      byId('state').classList.toggle('whole');
      lead(this.now);
    });
  }
  get place(): Place | undefined {
    return this.now.place;
  }
  show(state: State): void {
    this.now = state;
    const line = byId('state');
    line.className = `state ${state.kind}`;
    line.classList.toggle('leads', state.place !== undefined || state.path !== undefined);
    const text = state.text.charAt(0).toUpperCase() + state.text.slice(1);
    if (line.textContent !== text) line.replaceChildren(make('span', {}, text));
  }
}
