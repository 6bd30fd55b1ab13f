// The studio: one text, what the engine says of it, and the panels that show it. The text is the
// single source; everything else follows from it.
import { Data } from '../../stage/data';
import { BuildHand } from './build_hand';
import { byId, toast } from './dom';
import { Editor } from './editor';
import { EngineClient, EngineFailure } from './engine_client';
import { exportDialog } from './exporting';
import { Example, Gallery } from './gallery';
import { MoveHand } from './move_hand';
import { elementAt, Parts } from './parts';
import { Properties } from './properties';
import { Edit, ModelElement, Motion, Outcome, Place, ReadAnswer } from './protocol';
import { Results } from './results';
import { Runner } from './runner';
import { StagePanel } from './stage_panel';
import { share, warnOfOtherTabs } from './sharing';
import { keep, kept, nameOf, textOfLink } from './store';
import { Tools } from './tools';
import { Keys } from './keys';
import { openFile, saveFile } from './files';

const empty = `format = 1
name = "New mechanism"

[units]
length = "mm"

[run]
analysis = "kinematics"
end = "2 s"
step = "10 ms"
`;
const live = new Set(['kinematics', 'inverse', 'check']); // analyses that follow each edit

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
  private readonly gallery: Gallery;
  private readonly properties: Properties;
  private readonly build: BuildHand;
  private readonly pull: MoveHand;
  readonly tools: Tools;
  last?: ReadAnswer; // of the text as it is
  private good?: ReadAnswer; // the last that could be shown
  private outcome?: Outcome;
  selected = '';
  private version = 0;
  private reading = false;
  private newDocument = true;
  private firstProblem?: Place;

  constructor(readonly materials: Materials) {
    this.engine = materials.engine;
    this.engine.onRestart = (reason) => {
      toast(reason);
      this.runner.drop();
      setTimeout(() => void this.read()); // once what was asked has failed
    };
    this.runner = new Runner(this.engine);
    this.properties = new Properties({
      edit: (edits, select) => void this.edit(edits, select),
      goTo: (e) => this.goTo(e.at),
      setInRun: (name, value) => void this.setInRun(name, value),
      isRunning: () => this.runner.state !== 'none',
    });
    this.gallery = new Gallery(materials.examples);
    this.build = new BuildHand(this);
    this.pull = new MoveHand(this);
    this.tools = new Tools(this);
    this.panel.hand = this.build;
    this.connect();
    new Keys(this);
    void this.begin();
  }

  private async begin(): Promise<void> {
    const about = await this.engine.call('about');
    byId('version').textContent = about.version;
    byId('licences').textContent = this.materials.licences;
    this.editor.setFormat(about.format);
    this.properties.setFormat(about.format);
    document.body.dataset.ready = 'true';
    await this.openAddress();
    addEventListener('hashchange', () => void this.openAddress());
  }
  // What the address asks for: a model, an example, or the gallery.
  private async openAddress(): Promise<void> {
    const { hash } = location;
    try {
      const text = await textOfLink(hash);
      if (text !== undefined) return this.open(text);
    } catch (problem) {
      toast((problem as Error).message);
      return this.showGallery();
    }
    const example = this.gallery.find(decodeURIComponent(hash.slice(1)));
    if (example) this.open(example.text);
    else if (hash === '' && this.materials.model !== undefined) this.open(this.materials.model);
    else if (hash === '#desk' && kept()) this.open(kept()!.text);
    else this.showGallery();
  }

  // ---- documents
  showGallery(): void {
    byId('gallery').hidden = false;
    byId('desk').hidden = byId('desk-tools').hidden = true;
    byId('title').textContent = 'Pawl studio';
    document.title = 'Pawl studio';
    const found = kept();
    byId('resume').hidden = !found;
    byId('resume-name').textContent = found?.name ?? '';
    this.results.play(false);
  }
  open(text: string): void {
    byId('gallery').hidden = true;
    byId('desk').hidden = byId('desk-tools').hidden = false;
    this.runner.drop();
    this.results.clear();
    this.newDocument = true;
    this.good = undefined;
    this.select('');
    this.setMode('build');
    this.editor.open(text);
  }

  // ---- from text to picture
  private textChanged(): void {
    ++this.version;
    const text = this.editor.text;
    document.title = `${nameOf(text)} – Pawl studio`;
    byId('title').textContent = nameOf(text);
    byId<HTMLButtonElement>('undo').disabled = !this.editor.canUndo;
    byId<HTMLButtonElement>('redo').disabled = !this.editor.canRedo;
    if (!keep({ name: nameOf(text), text })) toast('The browser has no room to keep this model: save it as a file.');
    void this.read();
  }
  // One request at a time; the newest text wins.
  async read(): Promise<void> {
    if (this.reading) return;
    this.reading = true;
    try {
      for (let seen = -1; seen !== this.version; ) {
        seen = this.version;
        const answer = await this.engine.call('read', { text: this.editor.text });
        this.runner.drop();
        if (seen === this.version) await this.showRead(answer);
      }
    } catch (problem) {
      if (!(problem instanceof EngineFailure)) this.setState('bad', (problem as Error).message);
    } finally {
      this.reading = false;
    }
  }
  private async showRead(answer: ReadAnswer): Promise<void> {
    this.last = answer;
    this.outcome = undefined;
    this.editor.showProblems(answer.problems);
    if (answer.elements) this.parts.show(answer.elements, answer.problems);
    const error = answer.problems.find((p) => p.severity === 'error');
    this.firstProblem = error && error.line > 0 ? error : undefined;
    if (!answer.motion) {
      this.panel.setStale(true);
      this.setState('bad', `${error && error.line > 0 ? `Line ${error.line}: ` : ''}${error?.message ?? 'the text cannot be read'}`);
      this.showSelection();
      return;
    }
    this.good = answer;
    const sameModel = !this.newDocument;
    this.newDocument = false;
    if (!sameModel) this.results.clear();
    if (answer.assembled && answer.run && live.has(answer.run.analysis)) {
      const outcome = await this.engine.call('analyse');
      this.showOutcome(outcome, sameModel);
    } else {
      this.showMotion(answer.motion, sameModel, 0);
      this.describe();
    }
    this.showSelection();
  }
  private describe(): void {
    const { last } = this;
    if (!last) return;
    if (!last.assembled) return this.setState('bad', last.message ?? 'The parts do not fit together.');
    const degrees = last.freedom?.degrees ?? 0;
    const redundant = last.freedom?.redundant.length ?? 0;
    this.setState('good', `${degrees} degree${degrees === 1 ? '' : 's'} of freedom${redundant > 0 ? `, ${redundant} redundant` : ''}${last.run?.analysis === 'dynamics' ? ' · ready to run' : ''}`);
  }
  private showMotion(motion: Motion, sameModel: boolean, at?: number): void {
    const data = new Data(motion.about, (i) => motion.blocks[i]);
    this.panel.show(motion, data, sameModel);
    this.results.show(data, at);
    this.panel.select(this.selectedBody);
    this.build.refresh();
  }
  private showOutcome(outcome: Outcome, sameModel: boolean): void {
    this.outcome = outcome;
    this.showMotion(outcome.motion, sameModel, sameModel ? undefined : 0);
    if (outcome.complete) {
      this.describe();
      if (outcome.audit?.verdict && outcome.audit.verdict !== 'passed') this.setState('bad', 'The run ended, but its audit failed. Export the report to see why.');
      else if (this.last?.run?.analysis === 'dynamics') this.setState('good', `Completed${outcome.audit?.verdict ? ', audit passed' : ''}`);
    } else this.setState('bad', outcome.message || outcome.status);
  }
  setState(kind: 'good' | 'bad' | 'busy', text: string): void {
    const state = byId('state');
    state.className = `state ${kind}`;
    if (state.textContent !== text) state.textContent = text;
  }

  // ---- edits
  async edit(edits: Edit[], select?: string): Promise<boolean> {
    const version = this.version;
    const answer = await this.engine.call('edit', { text: this.editor.text, edits });
    if (version !== this.version) return false; // typed meanwhile
    if (answer.steps.length === 0) {
      toast(answer.problems[0]?.message ?? 'This cannot be changed here.');
      return false;
    }
    if (answer.removed && answer.removed.length > 1) toast(`Deleted with what hangs on it: ${answer.removed.join(', ')}. Undo brings it back.`);
    if (select !== undefined) this.selected = select;
    this.editor.apply(answer.steps);
    return true;
  }

  // ---- selection
  get selectedBody(): string | undefined {
    return this.selected.startsWith('body.') ? this.selected.slice(5) : undefined;
  }
  get elements(): ModelElement[] {
    return this.last?.elements ?? this.good?.elements ?? [];
  }
  element(path: string): ModelElement | undefined {
    return this.elements.find((e) => e.path === path);
  }
  select(path: string, showInText = true): void {
    this.selected = path;
    const element = this.element(path);
    if (element && showInText) {
      this.editor.goTo(element.at, false);
      this.showTab('properties');
    }
    this.showSelection();
  }
  private showSelection(): void {
    this.parts.select(this.selected);
    this.panel.select(this.selectedBody);
    this.properties.show(this.element(this.selected), this.elements, this.last?.parameters ?? this.good?.parameters ?? []);
    this.build.refresh();
  }
  goTo(place: Place): void {
    this.showTab('text');
    this.editor.goTo(place);
  }

  // ---- running
  async run(): Promise<void> {
    if (this.runner.state === 'running') return this.runner.pause();
    if (this.runner.state === 'paused') return this.runner.goOn();
    if (!this.last?.motion) return this.goTo(this.firstProblem ?? { line: 1, column: 1 });
    if (!this.last.assembled) return toast(this.last.message ?? 'The parts do not fit together.');
    this.setMode('build');
    if (this.last.run?.analysis === 'dynamics') {
      this.results.clear();
      return this.runner.start().catch((problem: Error) => this.setState('bad', problem.message));
    }
    this.showOutcome(await this.engine.call('analyse'), true);
    this.results.seek(0);
    this.results.play(true);
  }
  private async setInRun(name: string, value: string): Promise<void> {
    const problems = await this.runner.set(name, value);
    toast(problems[0]?.message ?? `${name} = ${value} from t = ${this.runner.time.toPrecision(4)} s on`);
  }
  private runChanged(): void {
    const { state, time, end } = this.runner;
    const button = byId('run');
    button.textContent = state === 'running' ? 'Pause' : state === 'paused' ? 'Go on' : 'Run';
    byId('stop').hidden = byId('step').hidden = state !== 'paused';
    if (state !== 'none') this.setState('busy', `${state === 'running' ? 'Running' : 'Paused'}: t = ${time.toPrecision(4)} s of ${end} s`);
    if (state !== this.shownRunState) this.showSelection(); // parameters act on the run
    this.shownRunState = state;
  }
  private shownRunState = 'none';

  // ---- modes
  get mode(): 'build' | 'move' {
    return byId('mode-move').getAttribute('aria-checked') === 'true' ? 'move' : 'build';
  }
  setMode(mode: 'build' | 'move'): void {
    byId('mode-build').setAttribute('aria-checked', String(mode === 'build'));
    byId('mode-move').setAttribute('aria-checked', String(mode === 'move'));
    byId('tools').hidden = mode === 'move';
    if (mode === 'move') {
      this.results.play(false);
      this.pull.begin();
    } else if (this.panel.hand === this.pull) this.pull.end();
    this.panel.hand = mode === 'move' ? this.pull : this.build;
    this.build.refresh();
  }
  // A tool takes the hand, until it gives it back.
  giveHand(tool?: Tools): void {
    this.panel.hand = tool ?? (this.mode === 'move' ? this.pull : this.build);
    byId('canvas').classList.toggle('drawing', tool !== undefined);
  }

  showTab(name: 'text' | 'properties' | 'plots' | 'events'): void {
    const pairs: Record<string, [string, string]> = { text: ['text-panel', 'properties'], properties: ['properties', 'text-panel'], plots: ['plot-panel', 'event-list'], events: ['event-list', 'plot-panel'] };
    const other = { text: 'properties', properties: 'text', plots: 'events', events: 'plots' }[name];
    byId(pairs[name][0]).hidden = false;
    byId(pairs[name][1]).hidden = true;
    byId('tab-' + name).setAttribute('aria-selected', 'true');
    byId('tab-' + other).setAttribute('aria-selected', 'false');
    if (innerWidth < 760 && (name === 'text' || name === 'properties')) this.showPanel(name);
  }
  showPanel(panel: string): void {
    byId('desk').dataset.panel = panel;
    for (const button of document.querySelectorAll<HTMLElement>('.switcher button')) button.setAttribute('aria-pressed', String(button.dataset.panel === panel));
    if (panel === 'text' || panel === 'properties') {
      byId('text-panel').hidden = panel !== 'text';
      byId('properties').hidden = panel === 'text';
    }
  }

  private connect(): void {
    const click = (id: string, action: () => unknown) => byId(id).addEventListener('click', () => void action());
    this.editor.onText = () => this.textChanged();
    this.editor.onCursor = (line) => {
      const element = elementAt(this.elements, line);
      if (element && element.path !== this.selected) this.select(element.path, false);
    };
    this.parts.onSelect = (path) => this.select(path);
    // Again at the same place goes one deeper.
    this.panel.onSelect = (paths) => this.select(paths[paths.indexOf(this.selected) + 1] ?? paths[0] ?? '');
    let atStart = true;
    this.results.onTime = (row, share) => {
      this.panel.stage?.show(row, share);
      if (atStart === (this.results.time === 0)) return;
      atStart = !atStart;
      this.build.refresh(); // handles stand at the start only
    };
    this.runner.onState = () => this.runChanged();
    this.runner.onMotion = (motion) => {
      const data = new Data(motion.about, (i) => motion.blocks[i]);
      this.panel.stage?.setData(data);
      this.results.show(data, data.end);
    };
    this.runner.onEnd = (outcome) => {
      this.showOutcome(outcome, true);
      this.results.seek(outcome.complete ? 0 : Infinity);
      if (outcome.complete && !matchMedia('(prefers-reduced-motion: reduce)').matches) this.results.play(true);
    };
    this.gallery.onOpen = (example) => {
      if (location.hash === '#' + example.name) this.open(example.text);
      else location.hash = example.name;
    };
    click('home', () => (location.hash && location.hash !== '#gallery' ? (location.hash = 'gallery') : this.showGallery()));
    click('new-model', () => this.openNew(empty));
    click('resume', () => (location.hash = 'desk'));
    click('open-gallery', () => openFile((text) => this.openNew(text)));
    click('open-file', () => openFile((text) => this.openNew(text)));
    click('save-file', () => saveFile(this.editor.text));
    click('share', () => share(this));
    click('export', () => exportDialog(this, this.outcome));
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
    click('state', () => this.firstProblem && this.goTo(this.firstProblem));
    for (const what of ['traces', 'forces', 'names'] as const) click('show-' + what, () => this.panel.toggle(what, byId('show-' + what).getAttribute('aria-pressed') !== 'true'));
    warnOfOtherTabs();
    for (const tab of ['text', 'properties', 'plots', 'events'] as const) click('tab-' + tab, () => this.showTab(tab));
    for (const button of document.querySelectorAll<HTMLElement>('.switcher button')) button.addEventListener('click', () => this.showPanel(button.dataset.panel!));
    this.showPanel('bottom');
  }
  private openNew(text: string): void {
    keep({ name: nameOf(text), text });
    if (location.hash === '#desk') this.open(text);
    else location.hash = 'desk';
  }
}
