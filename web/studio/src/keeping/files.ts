// Model files: opened by the file picker, saved as a download.
import { download, make, toast } from '../page/dom';
import { fileNameOf } from './store';

const largest = 8 << 20; // bytes, as the reader has it

export function openFile(open: (text: string) => void): void {
  const input = make('input', { type: 'file', accept: '.toml,text/plain' });
  input.addEventListener('change', () => {
    const file = input.files?.[0];
    if (!file) return;
    if (file.size > largest) return toast('This file is larger than 8 MB: no model of this size was written by hand.');
    void file.text().then(open);
  });
  input.click();
}
export function saveFile(text: string): void {
  download(fileNameOf(text) + '.toml', 'application/toml', text);
}
