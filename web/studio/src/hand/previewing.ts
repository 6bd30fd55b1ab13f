// What edits would give, without writing them: while a slider or a handle is dragged. The newest
// wins.
import { Edit } from '../engine/protocol';
import type { Studio } from '../studio';

export const live = ['kinematics', 'inverse', 'statics', 'check']; // analyses that follow each edit

// The text with edits made.
export async function editedText({ engine, editor }: Studio, edits: Edit[]): Promise<string> {
  let { text } = editor;
  for (const step of (await engine.call('edit', { text, edits })).steps) for (const { from, to, insert } of [...step].reverse()) text = text.slice(0, from) + insert + text.slice(to);
  return text;
}

export class Preview {
  private wanted?: Edit[];
  private busy = false;
  private ended = 0; // times

  constructor(private readonly studio: Studio) {}

  async show(edits: Edit[]): Promise<void> {
    this.wanted = edits;
    if (this.busy) return;
    this.busy = true;
    try {
      while (this.wanted) {
        const next: Edit[] = this.wanted;
        this.wanted = undefined;
        const { ended } = this,
          text = await editedText(this.studio, next);
        if (ended !== this.ended) break;
        const answer = await this.studio.engine.call('read', { text, live });
        if (ended === this.ended) this.studio.showPreview(answer);
      }
    } catch (problem) {
      this.studio.setState('bad', (problem as Error).message);
    } finally {
      this.busy = false;
    }
  }
  // What is written now is read anew.
  end(): void {
    this.wanted = undefined;
    ++this.ended;
  }
}
