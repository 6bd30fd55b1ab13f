// Handing a model on: a link that holds it, or the page as one file with the model inside.
import { byId, download, make, showDialog, toast } from '../page/dom';
import { downloadModel } from './files';
import { linkOf } from '../../../stage/link';
import { fileNameOf, storageKey } from './store';
import type { Studio } from '../studio';

const isLocal = () => location.protocol === 'file:' || ['localhost', '127.0.0.1', '[::1]'].includes(location.hostname);

export async function share(studio: Studio): Promise<void> {
  const text = studio.editor.text;
  try {
    if (isLocal()) {
      if (!studio.materials.single) return downloadModel(text);
      download(fileNameOf(text) + '.html', 'text/html', await studio.materials.single(text));
      return toast('This address works only on this machine, so the page was saved as one file with the model inside.');
    }
    const link = new URL(await linkOf(text), location.href).href;
    const box = make('input', { type: 'text', value: link, readonly: '', 'aria-label': 'Link' });
    box.style.width = '100%';
    showDialog('A link that holds the whole model', make('p', {}, 'Whoever opens it sees this model. Nothing is stored elsewhere.'), box);
    box.select();
    await navigator.clipboard?.writeText(link).then(() => toast('The link was copied.'), () => {});
  } catch (problem) {
    toast((problem as Error).message);
  }
}

export function warnOfOtherTabs(): void {
  addEventListener('storage', (e: Event) => {
    if ((e as StorageEvent).key === storageKey && !byId('desk').hidden)
      toast('Another tab is changing a model too: the browser keeps only the last one. Save yours as a file.');
  });
}
