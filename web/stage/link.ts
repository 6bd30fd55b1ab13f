// Links that hold a whole model in their fragment, compressed. Nothing of it reaches a server.
const largestLink = 1 << 20; // bytes, unpacked

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
