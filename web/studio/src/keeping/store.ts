// Keeping: autosave in the browser, names of files.
export const storageKey = 'pawl-studio-document';

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

// The name in a model's text, for titles and files.
export function nameOf(text: string): string {
  return /^name\s*=\s*"((?:[^"\\]|\\.)*)"/m.exec(text)?.[1] ?? 'Untitled';
}
export const fileNameOf = (text: string) => nameOf(text).toLowerCase().replace(/[^a-z0-9]+/g, '_').replace(/^_|_$/g, '').slice(0, 60) || 'model';
