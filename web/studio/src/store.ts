// Keeping and sharing: autosave in the browser, links that hold the whole model, files.
export const storageKey = 'pawl-studio-document';
const largestLink = 1 << 20; // bytes, unpacked

export interface Kept {
  name: string;
  text: string;
  saved: number; // ms since 1970
}

export function keep(document: Omit<Kept, 'saved'>): boolean {
  try {
    localStorage.setItem(storageKey, JSON.stringify({ ...document, saved: Date.now() }));
    return true;
  } catch {
    return false; // no room, or forbidden
  }
}
export function kept(): Kept | undefined {
  try {
    const found = JSON.parse(localStorage.getItem(storageKey) ?? 'null') as Kept | null;
    return found && typeof found.text === 'string' && typeof found.name === 'string' ? found : undefined;
  } catch {
    return undefined;
  }
}

const toText = (bytes: Uint8Array) => btoa(Array.from(bytes, (b) => String.fromCharCode(b)).join('')).replace(/\+/g, '-').replace(/\//g, '_').replace(/=+$/, '');
function toBytes(text: string): Uint8Array<ArrayBuffer> {
  const raw = atob(text.replace(/-/g, '+').replace(/_/g, '/'));
  return Uint8Array.from(raw, (c) => c.charCodeAt(0));
}

// Reads a stream to its end, but not more than `most` bytes.
async function readAll(stream: ReadableStream<Uint8Array>, most: number): Promise<Uint8Array<ArrayBuffer>> {
  const parts: Uint8Array[] = [],
    reader = stream.getReader();
  let size = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    size += value.length;
    if (size > most) {
      await reader.cancel();
      throw new Error('it is larger than 1 MB');
    }
    parts.push(value);
  }
  const out = new Uint8Array(size);
  let at = 0;
  for (const part of parts) {
    out.set(part, at);
    at += part.length;
  }
  return out;
}

export async function unpack(bytes: Uint8Array<ArrayBuffer>, most = Infinity, format: CompressionFormat = 'deflate-raw'): Promise<Uint8Array<ArrayBuffer>> {
  return readAll(new Blob([bytes]).stream().pipeThrough(new DecompressionStream(format)), most);
}

// "#model=..." with the text compressed.
export async function linkOf(text: string): Promise<string> {
  const bytes = new TextEncoder().encode(text);
  if (bytes.length > largestLink) throw new Error('the model is larger than 1 MB: save it as a file');
  const packed = await readAll(new Blob([bytes]).stream().pipeThrough(new CompressionStream('deflate-raw')), Infinity);
  return '#model=' + toText(packed);
}
// The text of a link; nothing where the address holds none.
export async function textOfLink(hash: string): Promise<string | undefined> {
  if (!hash.startsWith('#model=')) return undefined;
  try {
    const bytes = await unpack(toBytes(hash.slice(7)), largestLink);
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (problem) {
    throw new Error(`This link cannot be opened: ${problem instanceof Error && problem.message.includes('1 MB') ? problem.message : 'it is incomplete or was changed'}.`);
  }
}

// The name in a model's text, for titles and files.
export function nameOf(text: string): string {
  return /^name\s*=\s*"((?:[^"\\]|\\.)*)"/m.exec(text)?.[1] ?? 'Untitled';
}
export const fileNameOf = (text: string) => nameOf(text).toLowerCase().replace(/[^a-z0-9]+/g, '_').replace(/^_|_$/g, '').slice(0, 60) || 'model';
