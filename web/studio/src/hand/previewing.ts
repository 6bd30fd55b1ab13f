// What edits would give, without writing them: while a slider is dragged. The newest wins.
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

  constructor(private readonly studio: Studio) {}

  async show(edits: Edit[]): Promise<void> {
    this.wanted = edits;
    if (this.busy) return;
    this.busy = true;
    try {
      while (this.wanted) {
        const next: Edit[] = this.wanted;
        this.wanted = undefined;
        this.studio.showPreview(await this.studio.engine.call('read', { text: await editedText(this.studio, next), live }));
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
  }
}
