// Model files: by the file picker, which can write them again; where there is none, by a field for
// files and a download.
import { download, make, toast } from '../page/dom';
import { FileChanged } from './disk';
import { fileNameOf } from './store';

const largest = 8 << 20; // bytes, as the reader has it
const kinds = [{ description: 'Pawl model', accept: { 'application/toml': ['.toml' as const] } }];

interface Pickers {
  showOpenFilePicker?(options: { types: typeof kinds }): Promise<FileSystemFileHandle[]>;
  showSaveFilePicker?(options: { types: typeof kinds; suggestedName: string }): Promise<FileSystemFileHandle>;
}
const pickers = () => globalThis as Pickers;

// A file that the user has chosen, and its text as it was read or written last.
export class PickedFile {
  private constructor(
    private readonly handle: FileSystemFileHandle,
    private text: string,
  ) {}

  // Nothing where the user gives up, or no file can be chosen so.
  static async toSave(text: string): Promise<PickedFile | undefined> {
    const handle = await unlessGivenUp(pickers().showSaveFilePicker?.({ types: kinds, suggestedName: fileNameOf(text) + '.toml' }));
    return handle && new PickedFile(handle, await (await handle.getFile()).text());
  }
  static of(handle: FileSystemFileHandle, text: string): PickedFile {
    return new PickedFile(handle, text);
  }
  get name(): string {
    return this.handle.name;
  }
  // Throws FileChanged where another program has changed the file, unless that does not matter.
  async write(text: string, anyway = false): Promise<void> {
    const now = await (await this.handle.getFile()).text();
    if (!anyway && now !== this.text) throw new FileChanged(`${this.name} has changed on disk`, 'changed');
    const stream = await this.handle.createWritable();
    await stream.write(text);
    await stream.close();
    this.text = text;
  }
  async read(): Promise<string> {
    return (this.text = await (await this.handle.getFile()).text());
  }
}

export async function openFile(open: (text: string, file?: PickedFile) => void): Promise<void> {
  const take = async (file: File, handle?: FileSystemFileHandle) => {
    if (file.size > largest) return toast('This file is larger than 8 MB: no model of this size was written by hand.');
    const text = await file.text();
    open(text, handle && PickedFile.of(handle, text));
  };
  const { showOpenFilePicker } = pickers();
  if (showOpenFilePicker) {
    const handle = (await unlessGivenUp(showOpenFilePicker({ types: kinds })))?.[0];
    return handle && take(await handle.getFile(), handle);
  }
  const input = make('input', { type: 'file', accept: '.toml,text/plain' });
  input.addEventListener('change', () => input.files?.[0] && void take(input.files[0]));
  input.click();
}
export const canPick = () => pickers().showSaveFilePicker !== undefined;
export function downloadModel(text: string): void {
  download(fileNameOf(text) + '.toml', 'application/toml', text);
}

async function unlessGivenUp<T>(choice: Promise<T> | undefined): Promise<T | undefined> {
  try {
    return await choice;
  } catch (problem) {
    if ((problem as Error).name === 'AbortError') return undefined;
    throw problem;
  }
}
