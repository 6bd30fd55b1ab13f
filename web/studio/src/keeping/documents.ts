// The document on the desk: where it came from, where it is saved, and what the address asks for.
import { warmUp } from '../engine/warm_up';
import { ask, byId, make, showDialog, toast } from '../page/dom';
import { Gallery } from '../page/gallery';
import type { Studio } from '../studio';
import { Disk, FileChanged, FileOnDisk } from './disk';
import { canPick, downloadModel, openFile, PickedFile } from './files';
import { textOfLink } from '../../../stage/link';
import { fileNameOf, keep, kept, nameOf } from './store';

const warmUpWith = ['fourbar_coupler', 'trigger']; // examples: driven, and with contacts that come and go

const empty = `format = 1
name = "New mechanism"

[units]
length = "mm"

[run]
analysis = "kinematics"
end = "2 s"
step = "10 ms"
`;

export class Documents {
  private file?: FileOnDisk;
  private picked?: PickedFile;
  private saved = ''; // the text as the disk has it
  disk?: Disk;

  constructor(
    private readonly studio: Studio,
    private readonly gallery: Gallery,
  ) {
    const click = (id: string, action: () => unknown) => byId(id).addEventListener('click', () => void action());
    this.gallery.onOpen = (example) => {
      if (location.hash === '#' + example.name) this.open(example.text);
      else location.hash = example.name;
    };
    click('home', () => (location.hash && location.hash !== '#gallery' ? (location.hash = 'gallery') : this.showGallery()));
    click('new-model', () => this.openNew(empty));
    click('resume', () => (location.hash = 'desk'));
    click('open-gallery', () => this.choose());
    click('open-file', () => this.choose());
    click('save-file', () => this.save());
  }

  async begin(): Promise<void> {
    this.disk = await Disk.connect();
    if (this.disk) {
      byId('open-gallery').textContent = `Open from ${this.disk.folder}`;
      byId('save-file').title = `Save into the folder ${this.disk.folder} (Ctrl+S)`;
    }
    await this.openAddress();
    const examples = warmUpWith.flatMap((name) => this.gallery.find(name)?.text ?? []);
    if (examples.length > 0 && byId('desk').hidden) void warmUp(this.studio.engine, examples);
    addEventListener('hashchange', () => void this.openAddress());
    addEventListener('beforeunload', (e) => {
      if ((this.file ?? this.picked) && this.studio.editor.text !== this.saved) e.preventDefault();
    });
  }
  // What the address asks for: a model, a file, an example, or the gallery.
  private async openAddress(): Promise<void> {
    const { hash } = location;
    try {
      const text = await textOfLink(hash);
      if (text !== undefined) return this.open(text);
      if (hash.startsWith('#file=')) return await this.openFromDisk(decodeURIComponent(hash.slice(6)));
    } catch (problem) {
      toast((problem as Error).message);
      return this.showGallery();
    }
    const example = this.gallery.find(decodeURIComponent(hash.slice(1)));
    const { model } = this.studio.materials;
    if (example) this.open(example.text);
    else if (hash === '' && model !== undefined) this.open(model);
    else if (hash === '#desk' && kept()) this.open(kept()!.text);
    else this.showGallery();
  }

  showGallery(): void {
    byId('gallery').hidden = false;
    byId('desk').hidden = byId('desk-tools').hidden = true;
    byId('title').textContent = document.title = 'Pawl studio';
    const found = kept();
    byId('resume').hidden = !found;
    byId('resume-name').textContent = found?.name ?? '';
    this.studio.results.play(false);
  }
  private open(text: string, file?: FileOnDisk, picked?: PickedFile): void {
    this.file = file;
    this.picked = picked;
    this.saved = text;
    byId('gallery').hidden = true;
    byId('desk').hidden = byId('desk-tools').hidden = false;
    this.studio.show(text);
  }
  private openNew(text: string, picked?: PickedFile): void {
    keep({ name: nameOf(text), text });
    if (location.hash !== '#desk') history.pushState(null, '', '#desk');
    this.open(text, undefined, picked);
  }
  private async openFromDisk(path: string): Promise<void> {
    if (!this.disk) throw new Error('This address names a file of a folder, but no program serves it: start `pawl studio FOLDER`.');
    const { text, file } = await this.disk.read(path);
    this.open(text, file);
  }

  // ---- open and save
  private async choose(): Promise<void> {
    try {
      if (!this.disk) return await openFile((text, picked) => this.openNew(text, picked));
      const { folder, files } = await this.disk.list();
      const list = make('ul', { class: 'files', 'aria-label': 'Models' });
      const search = make('input', { type: 'search', placeholder: 'Find a model', 'aria-label': 'Find a model' });
      const draw = () =>
        list.replaceChildren(
          ...files
            .filter((f) => f.toLowerCase().includes(search.value.trim().toLowerCase()))
            .slice(0, 300)
            .map((f) => {
              const button = make('button', { type: 'button', 'data-file': f }, f);
              button.addEventListener('click', () => {
                dialog.close();
                const hash = '#file=' + f.split('/').map(encodeURIComponent).join('/');
                if (location.hash === hash) void this.openFromDisk(f);
                else location.hash = hash;
              });
              return make('li', {}, button);
            }),
        );
      search.addEventListener('input', draw);
      draw();
      const dialog = showDialog(`Models in ${folder}`, files.length > 0 ? search : 'There is no model in this folder yet.', list);
    } catch (problem) {
      toast((problem as Error).message);
    }
  }
  async save(): Promise<void> {
    const { text } = this.studio.editor;
    if (!this.disk) return canPick() ? this.writePicked(text) : downloadModel(text);
    if (this.file) return this.write(this.file, text);
    ask(`Save into ${this.disk.folder}`, fileNameOf(text) + '.toml', (path) => void this.write({ path: path.endsWith('.toml') ? path : path + '.toml', version: '' }, text));
  }
  private async writePicked(text: string, anyway = false): Promise<void> {
    try {
      const file = this.picked ?? (await PickedFile.toSave(text));
      if (!file) return;
      await file.write(text, anyway);
      this.picked = file;
      this.saved = text;
      toast(`Saved as ${file.name}.`);
    } catch (problem) {
      if (!(problem instanceof FileChanged)) return toast((problem as Error).message);
      const { picked } = this;
      this.askAboutChange(problem, () => this.writePicked(text, true), picked && (async () => this.openNew(await picked.read(), picked)));
    }
  }
  private async write(file: FileOnDisk, text: string): Promise<void> {
    try {
      this.file = await this.disk!.write(file, text);
      this.saved = text;
      history.replaceState(null, '', '#file=' + file.path.split('/').map(encodeURIComponent).join('/'));
      toast(`Saved as ${file.path}.`);
    } catch (problem) {
      if (!(problem instanceof FileChanged)) return toast((problem as Error).message);
      const { version } = problem;
      this.askAboutChange(problem, () => this.write({ path: file.path, version }, text), version ? () => this.openFromDisk(file.path) : undefined);
    }
  }
  private askAboutChange(changed: FileChanged, replace: () => unknown, openOther?: () => unknown): void {
    const choice = (title: string, action: () => unknown) => {
      const button = make('button', { type: 'button' }, title);
      button.addEventListener('click', () => {
        dialog.close();
        void action();
      });
      return button;
    };
    const choices = make('div', { class: 'choices' }, choice('Replace the file on disk', replace));
    if (openOther) choices.append(choice('Open the file on disk instead', openOther));
    const dialog = showDialog('The file was not saved', make('p', {}, `${changed.message}. Nothing was written.`), choices);
  }
}
