// Runs that are kept to be compared with: the newest moves behind the stage as a ghost, and plots show
// all of them beside the run of now.
import { Data } from '../../../stage/data';
import { Motion } from '../engine/protocol';
import { byId, make } from '../page/dom';
import { Results } from './results';
import { StagePanel } from './stage_panel';

const most = 4; // more cannot be told apart

interface Kept {
  title: string;
  motion: Motion;
  data: Data;
}

export class KeptRuns {
  private runs: Kept[] = [];
  private count = 0;

  constructor(
    private readonly panel: StagePanel,
    private readonly results: Results,
  ) {}

  keep(motion: Motion): void {
    this.runs.push({ title: `run ${++this.count}`, motion, data: new Data(motion.about, (i) => motion.blocks[i]) });
    if (this.runs.length > most) this.runs.shift();
    this.show();
  }
  clear(): void {
    this.runs = [];
    this.count = 0;
    this.show();
  }
  private show(): void {
    const last = this.runs[this.runs.length - 1];
    this.panel.setGhost(last?.motion, last?.data);
    this.results.plots.setKept(this.runs);
    byId('kept-runs').replaceChildren(
      ...this.runs.map((run) => {
        const button = make('button', { type: 'button', class: 'chip', title: `Forget ${run.title}`, 'aria-label': `Forget ${run.title}` }, `${run.title} ×`);
        button.addEventListener('click', () => {
          this.runs = this.runs.filter((other) => other !== run);
          this.show();
        });
        return button;
      }),
    );
  }
}
