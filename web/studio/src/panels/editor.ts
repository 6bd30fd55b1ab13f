// The text of the model: the single source, with the only undo stack of the page. CodeMirror stands
// in a shadow root, where it may add its style sheets under a strict policy.
import { autocompletion, closeBrackets, CompletionContext, CompletionResult } from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap, redo, redoDepth, undo, undoDepth } from '@codemirror/commands';
import { bracketMatching, defaultHighlightStyle, HighlightStyle, StreamLanguage, syntaxHighlighting } from '@codemirror/language';
import { toml } from '@codemirror/legacy-modes/mode/toml';
import { Diagnostic, lintGutter, setDiagnostics } from '@codemirror/lint';
import { highlightSelectionMatches, searchKeymap } from '@codemirror/search';
import { Annotation, ChangeSet, Compartment, EditorState, Transaction } from '@codemirror/state';
import { drawSelection, EditorView, highlightActiveLine, hoverTooltip, keymap, lineNumbers } from '@codemirror/view';
import { tags } from '@lezer/highlight';
import { Change, FormatField, FormatTable, Place, Problem } from '../engine/protocol';

const byMachine = Annotation.define<boolean>();

const dark = EditorView.theme({}, { dark: true });
const darkColours = HighlightStyle.define([
  { tag: tags.comment, color: '#8b949e' },
  { tag: tags.string, color: '#8fd0f5' },
  { tag: [tags.number, tags.bool], color: '#f5a066' },
  { tag: [tags.propertyName, tags.atom], color: '#e6e8ea' },
  { tag: tags.standard(tags.name), color: '#4fd9b0' },
]);
const look = EditorView.theme({
  '&': { height: '100%', fontSize: '13px', backgroundColor: 'transparent', color: 'var(--ink)' },
  '.cm-scroller': { fontFamily: 'ui-monospace, "SF Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace', lineHeight: '1.5' },
  '.cm-gutters': { backgroundColor: 'transparent', color: 'var(--soft)', border: 'none' },
  '.cm-activeLine': { backgroundColor: 'color-mix(in srgb, var(--accent) 8%, transparent)' },
  '.cm-cursor': { borderLeftColor: 'var(--ink)' },
  '.cm-tooltip': { backgroundColor: 'var(--card)', color: 'var(--ink)', border: '1px solid var(--line)', borderRadius: '6px', maxWidth: '26rem' },
  '.cm-help': { padding: '.4rem .6rem', fontFamily: 'system-ui, sans-serif', fontSize: '.85rem' },
  '.cm-selectionBackground, &.cm-focused .cm-selectionBackground': { backgroundColor: 'color-mix(in srgb, var(--accent) 28%, transparent) !important' },
  '.cm-lint-marker': { width: '.8em', height: '.8em' },
});

export class Editor {
  readonly view: EditorView;
  private readonly darkMode = new Compartment();
  private format: FormatTable[] = [];
  onText: (text: string) => void = () => {};
  onCursor: (line: number) => void = () => {};

  constructor(parent: HTMLElement) {
    const root = parent.attachShadow({ mode: 'open' });
    const scheme = matchMedia('(prefers-color-scheme: dark)');
    const colours = () => (scheme.matches ? [dark, syntaxHighlighting(darkColours)] : syntaxHighlighting(defaultHighlightStyle));
    this.view = new EditorView({
      root,
      parent: root,
      state: EditorState.create({ extensions: [this.extensions(), this.darkMode.of(colours())] }),
    });
    scheme.addEventListener('change', () => this.view.dispatch({ effects: this.darkMode.reconfigure(colours()) }));
  }
  private extensions() {
    return [
      lineNumbers(),
      lintGutter(),
      history({ minDepth: 1_000_000 }),
      drawSelection(),
      bracketMatching(),
      closeBrackets(),
      highlightActiveLine(), EditorView.lineWrapping,
      highlightSelectionMatches(),
      autocompletion({ override: [(context) => this.complete(context)] }),
      hoverTooltip((view, at) => this.help(view, at)),
      StreamLanguage.define(toml),
      keymap.of([...defaultKeymap, ...historyKeymap, ...searchKeymap]),
      look,
      EditorView.contentAttributes.of({ 'aria-label': 'Text of the model', tabindex: '0' }),
      EditorView.updateListener.of((update) => {
        if (update.docChanged) this.onText(this.text);
        if (update.selectionSet && update.view.hasFocus) this.onCursor(update.state.doc.lineAt(update.state.selection.main.head).number);
      }),
    ];
  }

  get text(): string {
    return this.view.state.doc.toString();
  }
  setFormat(format: FormatTable[]): void {
    this.format = format;
  }
  // Another document: its history begins here.
  open(text: string): void {
    const colours = this.darkMode.get(this.view.state) ?? [];
    this.view.setState(EditorState.create({ doc: text, extensions: [this.extensions(), this.darkMode.of(colours)] }));
    this.onText(this.text);
  }
  // Changes of the engine, each set on the text that the one before has left, as one step to undo.
  apply(steps: Change[][]): void {
    let all: ChangeSet | undefined,
      length = this.view.state.doc.length;
    for (const step of steps) {
      const set = ChangeSet.of(step, length);
      all = all ? all.compose(set) : set;
      length = set.newLength;
    }
    if (all) this.view.dispatch({ changes: all, annotations: [byMachine.of(true), Transaction.userEvent.of('input.form')] });
  }
  undo(): void {
    undo(this.view);
  }
  redo(): void {
    redo(this.view);
  }
  get canUndo(): boolean {
    return undoDepth(this.view.state) > 0;
  }
  get canRedo(): boolean {
    return redoDepth(this.view.state) > 0;
  }

  // Columns count characters, positions UTF-16 units.
  private position(place: Place): number {
    const { doc } = this.view.state;
    const line = doc.line(Math.min(doc.lines, Math.max(1, place.line)));
    const before = [...line.text].slice(0, Math.max(0, place.column - 1)).join('');
    return line.from + before.length;
  }
  showProblems(problems: Problem[]): void {
    const { doc } = this.view.state;
    const diagnostics: Diagnostic[] = problems.map((p) => {
      const from = this.position(p),
        rest = doc.sliceString(from, doc.lineAt(from).to);
      const word = /^("[^"]*"|[\w.-]+|\S)?/.exec(rest)![0].length;
      return { from, to: from + Math.max(word, rest.length > 0 ? 1 : 0), severity: p.severity, message: p.message };
    });
    this.view.dispatch(setDiagnostics(this.view.state, diagnostics));
  }
  goTo(place: Place, focus = true): void {
    const at = this.position(place);
    this.view.dispatch({ selection: { anchor: at }, effects: EditorView.scrollIntoView(at, { y: 'center' }) });
    if (focus) this.view.focus();
  }

  // ---- what may stand here
  private tableAt(at: number): { table?: FormatTable; type?: string } {
    const { doc } = this.view.state;
    let name = '',
      type: string | undefined;
    for (let n = doc.lineAt(at).number; n >= 1; --n) {
      const text = doc.line(n).text;
      type ??= /^\s*type\s*=\s*"([^"]*)"/.exec(text)?.[1];
      const head = /^\s*\[+([\w-]+)/.exec(text);
      if (head) {
        name = head[1];
        break;
      }
    }
    return { table: this.format.find((t) => t.name === name), type };
  }
  private fieldsAt(at: number): FormatField[] {
    const { table, type } = this.tableAt(at);
    if (!table) return [];
    return [...table.fields, ...(table.kinds.find((k) => k.name === type)?.fields ?? [])];
  }
  private complete(context: CompletionContext): CompletionResult | null {
    const line = context.state.doc.lineAt(context.pos),
      before = line.text.slice(0, context.pos - line.from);
    const head = /^\s*\[+([\w-]*)$/.exec(before);
    if (head)
      return {
        from: context.pos - head[1].length,
        options: this.format.filter((t) => t.name).map((t) => ({ label: t.name, type: 'class', info: t.summary })),
      };
    const { table } = this.tableAt(context.pos);
    const value = /^\s*([\w-]+)\s*=\s*"([\w-]*)$/.exec(before);
    if (value) {
      const choices = value[1] === table?.key ? table.kinds.map((k) => ({ label: k.name, info: k.summary })) : this.fieldsAt(context.pos).find((f) => f.name === value[1])?.choices?.map((label) => ({ label }));
      return choices ? { from: context.pos - value[2].length, options: choices } : null;
    }
    const key = /^\s*([\w-]*)$/.exec(before);
    if (!key || (key[1] === '' && !context.explicit)) return null;
    const options = this.fieldsAt(context.pos).map((f) => ({ label: f.name, type: 'property', detail: f.unit ? `[${f.unit}]` : '', info: f.doc, apply: f.name + ' = ' }));
    if (table && table.kinds.length > 0) options.unshift({ label: table.key, type: 'property', detail: '', info: 'which kind it is', apply: table.key + ' = "' });
    return options.length > 0 ? { from: context.pos - key[1].length, options } : null;
  }
  private help(view: EditorView, at: number) {
    const line = view.state.doc.lineAt(at),
      key = /^\s*([\w-]+)\s*=/.exec(line.text);
    const start = line.from + (line.text.length - line.text.trimStart().length);
    if (!key || at > start + key[1].length) return null;
    const field = this.fieldsAt(at).find((f) => f.name === key[1]);
    if (!field) return null;
    return {
      pos: start,
      end: start + key[1].length,
      create: () => {
        const dom = document.createElement('div');
        dom.className = 'cm-help';
        dom.textContent = `${field.doc}${field.unit ? ` [${field.unit}]` : ''}${field.default ? ` Default: ${field.default}.` : ''}`;
        return { dom };
      },
    };
  }
}
