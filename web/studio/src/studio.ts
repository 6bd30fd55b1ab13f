// The studio: one text, the single source of all, what the engine says of it, and the panels.
import { Data } from '../../stage/data';
import { BuildHand } from './hand/build_hand';
import { byId, toast } from './page/dom';
import { Editor } from './panels/editor';
import { EngineClient, EngineFailure } from './engine/engine_client';
import { exportDialog } from './keeping/exporting';
import { Example, Gallery } from './page/gallery';
import { Dimensions } from './hand/dimensions';
import { flip } from './hand/flipping';
import { LiveHand } from './hand/live_hand';
import { MoveHand } from './hand/move_hand';
import { live, Preview } from './hand/previewing';
import { elementAt, Parts } from './panels/parts';
import { Properties } from './panels/properties';
import { Edit, ModelElement, Motion, Outcome, Place, ReadAnswer } from './engine/protocol';
import { Results } from './panels/results';
import { Runner } from './engine/runner';
import { KeptRuns } from './panels/kept_runs';
import { Readiness } from './panels/readiness';
import { Shown } from './panels/shown';
import { State, stateOf, StateLine, stiffNote } from './panels/state';
import { StagePanel } from './panels/stage_panel';
import { share, warnOfOtherTabs } from './keeping/sharing';
import { keep, nameOf } from './keeping/store';
import { Tools } from './hand/tools';
import { Keys } from './page/keys';
import { connectTabs, showTab } from './page/tabs';
import { Documents } from './keeping/documents';

export interface Materials {
  engine: EngineClient;
  examples: Example[];
  licences: string;
  single?: (text: string) => Promise<Blob>; // the page as one file with a model inside
  model?: string; // that the page came with
}

export class Studio {
  readonly editor = new Editor(byId('editor'));
  readonly panel = new StagePanel();
  readonly results = new Results();
  readonly engine: EngineClient;
  readonly runner: Runner;
  private readonly parts = new Parts();
  readonly documents: Documents;
  private readonly properties: Properties;
  private readonly build: BuildHand;
  private readonly pull: MoveHand;
  private readonly live: LiveHand;
  readonly preview = new Preview(this);
  readonly dimensions: Dimensions;
  private readonly keptRuns: KeptRuns;
  readonly tools: Tools;
  last?: ReadAnswer; // of the text as it is
  private good?: ReadAnswer; // the last that could be shown
  private outcome?: Outcome;
  selection: string[] = []; // paths; the last one is shown in the form
  private version = 0;
  private reading = false;
  private failedReads = 0; // one after the other
  private newDocument = true;
  readonly ready: Promise<void>;
  private readonly state = new StateLine((to) => (to.place ? this.goTo(to.place) : to.path && this.select(to.path)));

  constructor(readonly materials: Materials) {
    this.engine = materials.engine;
    this.engine.onRestart = (reason) => {
      toast(reason);
      this.runner.drop();
      setTimeout(() => this.failedReads < 2 && void this.read()); // once what was asked has failed
    };
    this.runner = new Runner(this.engine);
    this.properties = new Properties({
      edit: (edits, select) => void this.edit(edits, select),
      goTo: (e) => this.goTo(e.at),
      preview: (edits) => void this.preview.show(edits),
      setInRun: (name, value) => void this.setInRun(name, value),
      isRunning: () => this.runner.state !== 'none',
      flip: (e) => flip(this, e),
    });
    this.documents = new Documents(this, new Gallery(materials.examples));
    this.build = new BuildHand(this);
    this.pull = new MoveHand(this);
    this.live = new LiveHand(this);
    this.dimensions = new Dimensions(this);
    this.keptRuns = new KeptRuns(this.panel, this.results);
    new Shown(this);
    new Readiness(this);
    this.panel.drawMore = () => this.dimensions.draw();
    this.panel.onDimension = (index, at) => this.dimensions.edit(index, at);
    this.panel.onBox = (bodies, more) => {
      this.selection = [...new Set([...(more ? this.selection : []), ...bodies.map((b) => 'body.' + b)])];
      this.showSelection();
    };
    this.tools = new Tools(this);
    this.panel.hand = this.build;
    this.connect();
    new Keys(this);
    this.ready = this.begin();
  }

  private async begin(): Promise<void> {
    const about = await this.engine.call('about');
    byId('version').textContent = about.version;
    byId('licences').textContent = this.materials.licences;
    this.editor.setFormat(about.format);
    this.properties.setFormat(about.format);
    await this.documents.begin();
    document.body.dataset.ready = 'true';
  }
  // Another document.
  show(text: string): void {
    this.runner.drop();
    this.results.clear();
    this.keptRuns.clear();
    this.newDocument = true;
    this.good = undefined;
    this.select('');
    this.setMode('build');
    this.editor.open(text);
  }

  // ---- from text to picture
  private textChanged(): void {
    ++this.version;
    this.failedReads = 0;
    const text = this.editor.text;
    document.title = `${nameOf(text)} – Pawl studio`;
    byId('title').textContent = nameOf(text);
    byId<HTMLButtonElement>('undo').disabled = !this.editor.canUndo;
    byId<HTMLButtonElement>('redo').disabled = !this.editor.canRedo;
    if (!keep({ name: nameOf(text), text })) toast('The browser has no room to keep this model: save it as a file.');
    void this.read();
  }
  // One request at a time; the newest text wins. `again`: although the text is the same.
  async read(again = false): Promise<void> {
    if (again) ++this.version;
    if (this.reading) return;
    this.reading = true;
    try {
      for (let seen = -1; seen !== this.version; ) {
        seen = this.version;
        const answer = await this.engine.call('read', { text: this.editor.text, live });
        this.runner.drop();
        if (seen === this.version) this.showRead(answer);
      }
      this.failedReads = 0;
    } catch (problem) {
      // A worker that died is replaced, and reads it again; a text that kills two is left alone.
      const again = problem instanceof EngineFailure && ++this.failedReads < 2;
      this.panel.setStale(again ? undefined : 'stale');
      if (!again) this.setState('bad', `This model cannot be shown: ${(problem as Error).message} Undo brings the last one back.`);
    } finally {
      this.reading = false;
    }
  }
  private showRead(answer: ReadAnswer): void {
    this.last = answer;
    this.outcome = undefined;
    this.editor.showProblems(answer.problems);
    if (answer.elements) this.parts.show(answer.elements, answer.problems);
    if (!answer.motion) {
      this.panel.setStale(answer.elements ? 'wrong' : 'stale', answer.elements ? this.parts.faulty : []);
      this.state.show(stateOf(answer));
      this.showSelection();
      return;
    }
    this.good = answer;
    const sameModel = !this.newDocument;
    this.newDocument = false;
    if (!sameModel) this.results.clear();
    if (answer.outcome) this.showOutcome({ ...answer.outcome, motion: answer.motion }, sameModel);
    else {
      this.showMotion(answer.motion, sameModel, 0);
      this.state.show(stateOf(answer));
    }
    this.showSelection();
  }
  private showMotion(motion: Motion, sameModel: boolean, at?: number): void {
    const data = new Data(motion.about, (i) => motion.blocks[i]);
    this.panel.show(motion, data, sameModel);
    this.results.show(data, at);
    this.panel.select(this.selectedBodies);
    this.refreshHandles();
  }
  private showOutcome(outcome: Outcome, sameModel: boolean): void {
    this.outcome = outcome;
    // A run that failed is shown where it ended.
    this.showMotion(outcome.motion, sameModel, sameModel ? undefined : outcome.complete ? 0 : Infinity);
    if (this.last) this.state.show(stateOf(this.last, outcome));
  }
  // Of a text that is not written yet.
  showPreview(answer: ReadAnswer): void {
    if (answer.motion) this.showMotion(answer.motion, true);
    this.state.show(stateOf(answer, answer.outcome && answer.motion && { ...answer.outcome, motion: answer.motion }));
  }
  setState(kind: State['kind'], text: string): void {
    this.state.show({ kind, text });
  }

  // ---- edits
  async edit(edits: Edit[], select?: string): Promise<boolean> {
    const version = this.version;
    this.preview.end();
    const answer = await this.engine.call('edit', { text: this.editor.text, edits });
    if (version !== this.version) return false; // typed meanwhile
    if (answer.steps.length === 0) {
      toast(answer.problems[0]?.message ?? 'This cannot be changed here.');
      return false;
    }
    if (answer.removed && answer.removed.length > 1) toast(`Deleted, with the parts that referred to it: ${answer.removed.join(', ')}. Undo brings it back.`);
    if (select !== undefined) this.selection = select ? [select] : [];
    this.editor.apply(answer.steps);
    return true;
  }

  // ---- selection
  get selected(): string {
    return this.selection[this.selection.length - 1] ?? '';
  }
  get selectedBody(): string | undefined {
    return this.selected.startsWith('body.') ? this.selected.slice(5) : undefined;
  }
  private under: string[] = []; // what the last click has met
  // The next of what lies under the last click. False after the last one: the focus goes on.
  selectDeeper(): boolean {
    const next = this.under[this.under.indexOf(this.selected) + 1];
    if (!this.under.includes(this.selected) || next === undefined) return false;
    this.select(next);
    return true;
  }
  nudge = (dx: number, dy: number): boolean => this.build.nudge(dx, dy);
  // The form of what is selected.
  editSelected(): boolean {
    if (!this.selected) return false;
    showTab('properties');
    byId('properties').querySelector<HTMLElement>('.field:not(:first-of-type) input, .field input, select')?.focus();
    return true;
  }
  private get selectedBodies(): string[] {
    return this.selection.filter((p) => p.startsWith('body.')).map((p) => p.slice(5));
  }
  // Handles and dimensions of what is selected.
  refreshHandles(): void {
    this.dimensions.refresh();
    this.build.refresh();
  }
  // With the parts that refer to it; undo restores them.
  remove(): void {
    const paths = this.selection.filter((p) => p.includes('.'));
    // What goes with another one is gone when its turn comes.
    if (paths.length > 0) void this.edit(paths.map((path) => ({ kind: 'remove' as const, path })), '');
  }
  get elements(): ModelElement[] {
    return this.last?.elements ?? this.good?.elements ?? [];
  }
  element(path: string): ModelElement | undefined {
    return this.elements.find((e) => e.path === path);
  }
  // With `more` it is added to what is selected, or taken from it.
  select(path: string, showInText = true, more = false): void {
    const others = this.selection.filter((p) => p !== path);
    this.selection = !more ? (path ? [path] : []) : others.length < this.selection.length || !path ? others : [...others, path];
    const element = showInText ? this.element(path) : undefined;
    if (element) {
      this.editor.goTo(element.at, false);
      showTab('properties');
    }
    this.showSelection();
  }
  private showSelection(): void {
    this.parts.select(this.selection);
    this.panel.select(this.selectedBodies);
    this.properties.show(this.element(this.selected), this.elements, this.last?.parameters ?? this.good?.parameters ?? [], this.selection.length);
    this.refreshHandles();
  }
  goTo(place: Place): void {
    showTab('text');
    this.editor.goTo(place);
  }

  // ---- running
  async run(): Promise<void> {
    if (this.live.running) return this.live.stop();
    if (this.runner.state === 'running') return this.runner.pause();
    if (this.runner.state === 'paused') return this.runner.goOn();
    if (!this.last?.motion) return this.goTo(this.state.place ?? { line: 1, column: 1 });
    if (!this.last.assembled) return toast(this.last.message ?? 'The parts do not fit together.');
    const failed = (problem: Error) => this.setState('bad', problem.message);
    if (this.mode === 'move') return this.live.start().catch(failed);
    this.setMode('build');
    if (this.last.run?.analysis === 'dynamics') {
      this.results.clear();
      return this.runner.start().catch(failed);
    }
    this.showOutcome(await this.engine.call('analyse'), true);
    this.results.seek(0);
    if (matchMedia('(prefers-reduced-motion: reduce)').matches && !this.outcome?.complete) this.results.seek(Infinity);
    else this.results.play(true);
  }
  // Another analysis: the text asks for it, then it runs.
  async choose(analysis: string): Promise<void> {
    if (this.last?.run?.analysis === analysis) return this.run();
    if (await this.edit([{ kind: 'set', path: 'run.analysis', value: JSON.stringify(analysis) }])) toast(`The model asks for ${analysis} now. Undo brings the other one back.`);
  }
  private async setInRun(name: string, value: string): Promise<void> {
    const problems = await this.runner.set(name, value);
    toast(problems[0]?.message ?? `${name} = ${value} from t = ${this.runner.time.toPrecision(4)} s on`);
  }
  liveChanged(): void {
    byId('run').textContent = this.live.running ? 'Stop' : 'Run';
    byId('start-here').hidden = true;
    if (!this.live.running) this.giveHand();
  }
  private runChanged(): void {
    const { state, time, end, stiff } = this.runner;
    const button = byId('run');
    button.textContent = state === 'running' ? 'Pause' : state === 'paused' ? 'Go on' : 'Run';
    byId('stop').hidden = byId('step').hidden = state !== 'paused';
    if (state !== 'none') this.setState('busy', `${state === 'running' ? 'Running' : 'Paused'}: t = ${time.toPrecision(4)} s of ${end} s${stiff ? stiffNote : ''}`);
    if (button.dataset.state !== state) this.showSelection(); // parameters act on the run
    button.dataset.state = state;
  }

  // ---- modes
  get mode(): 'build' | 'move' {
    return byId('mode-move').getAttribute('aria-checked') === 'true' ? 'move' : 'build';
  }
  setMode(mode: 'build' | 'move'): void {
    byId('mode-build').setAttribute('aria-checked', String(mode === 'build'));
    byId('mode-move').setAttribute('aria-checked', String(mode === 'move'));
    byId('tools').hidden = mode === 'move';
    if (this.live.running) this.live.stop();
    if (mode === 'move') {
      this.results.play(false);
      this.pull.begin();
    } else if (this.panel.hand === this.pull) this.pull.end();
    this.panel.hand = mode === 'move' ? this.pull : this.build;
    this.refreshHandles();
  }
  // A tool takes the hand, until it gives it back.
  giveHand(tool?: Tools): void {
    this.panel.hand = tool ?? (this.mode === 'move' ? this.pull : this.build);
    byId('canvas').classList.toggle('drawing', tool !== undefined);
    this.panel.redraw();
  }

  private connect(): void {
    const click = (id: string, action: () => unknown) => byId(id).addEventListener('click', () => void action());
    this.editor.onText = () => this.textChanged();
    this.editor.onCursor = (line) => {
      const element = elementAt(this.elements, line);
      if (element && element.path !== this.selected) this.select(element.path, false);
    };
    this.parts.onSelect = (path, more) => this.select(path, true, more);
    // Again at the same place goes one deeper.
    this.panel.onSelect = (paths, more) => {
      this.under = paths;
      if (more) this.select(paths[0] ?? '', true, true);
      else this.select(paths[paths.indexOf(this.selected) + 1] ?? paths[0] ?? '');
    };
    let atStart = true;
    this.results.onTime = (t, row, share) => {
      this.panel.showTime(t, row, share);
      if (atStart === (this.results.time === 0)) return;
      atStart = !atStart;
      this.refreshHandles(); // handles stand at the start only
    };
    this.runner.onState = () => this.runChanged();
    this.runner.onMotion = (motion) => {
      const data = new Data(motion.about, (i) => motion.blocks[i]);
      this.panel.setData(data);
      this.results.show(data, data.end);
    };
    this.runner.onEnd = (outcome) => {
      this.showOutcome(outcome, true);
      this.results.seek(outcome.complete ? 0 : Infinity);
      if (outcome.complete && !matchMedia('(prefers-reduced-motion: reduce)').matches) this.results.play(true);
    };
    click('share', () => share(this));
    click('export', () => exportDialog(this, this.outcome));
    click('keep-run', () => (this.outcome && this.results.hasMotion ? this.keptRuns.keep(this.outcome.motion) : toast('Run the model first.')));
    click('undo', () => this.editor.undo());
    click('redo', () => this.editor.redo());
    click('run', () => this.run());
    click('stop', () => this.runner.stop());
    click('step', () => this.runner.stepToEvent());
    click('play', () => (this.results.hasMotion ? this.results.play() : this.run()));
    click('mode-build', () => this.setMode('build'));
    click('mode-move', () => this.setMode('move'));
    click('start-here', () => this.pull.startHere());
    click('fit', () => this.panel.view.fit());
    click('zoom-in-view', () => this.panel.view.zoom(1.3));
    click('zoom-out-view', () => this.panel.view.zoom(1 / 1.3));
    for (const what of ['traces', 'forces', 'names'] as const) click('show-' + what, () => this.panel.toggle(what, byId('show-' + what).getAttribute('aria-pressed') !== 'true'));
    warnOfOtherTabs();
    connectTabs();
  }
}
