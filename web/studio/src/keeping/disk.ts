// The folder of `pawl studio`: its models are listed, read and written through the program that
// serves this page. The token stands in the address once; then the tab keeps it.
const tokenKey = 'pawl-studio-token';

export interface FileOnDisk {
  path: string;
  version: string; // '' for a file that is not there yet
}
export class FileChanged extends Error {
  constructor(
    message: string,
    readonly version: string,
  ) {
    super(message);
  }
}

export class Disk {
  private constructor(
    private readonly token: string,
    readonly folder: string,
    readonly files: string[],
  ) {}

  // Nothing where no program answers.
  static async connect(): Promise<Disk | undefined> {
    if (location.protocol !== 'http:') return undefined;
    const given = /^#token=([0-9a-f]+)(?:&(.*))?$/.exec(location.hash);
    if (given) {
      sessionStorage.setItem(tokenKey, given[1]);
      history.replaceState(null, '', location.pathname + (given[2] ? '#' + given[2] : ''));
    }
    const token = sessionStorage.getItem(tokenKey);
    if (!token) return undefined;
    const list = await new Disk(token, '', []).list().catch(() => undefined);
    return list && new Disk(token, list.folder, list.files);
  }

  async list(): Promise<{ folder: string; files: string[] }> {
    return (await this.ask('')).json() as Promise<{ folder: string; files: string[] }>;
  }
  async read(path: string): Promise<{ text: string; file: FileOnDisk }> {
    const answer = await this.ask(path);
    return { text: await answer.text(), file: { path, version: versionOf(answer) } };
  }
  // Throws FileChanged where the file on disk is another one than `file`.
  async write(file: FileOnDisk, text: string): Promise<FileOnDisk> {
    const answer = await this.ask(file.path, {
      method: 'PUT',
      headers: file.version ? { 'If-Match': `"${file.version}"` } : { 'If-None-Match': '*' },
      body: text,
    });
    return { path: file.path, version: versionOf(answer) };
  }

  private async ask(path: string, more: RequestInit = {}): Promise<Response> {
    const address = 'files' + (path && '/' + path.split('/').map(encodeURIComponent).join('/'));
    const answer = await fetch(address, { ...more, headers: { ...more.headers, 'X-Pawl-Token': this.token } });
    if (answer.ok) return answer;
    const reason = ((await answer.json().catch(() => ({}))) as { error?: string }).error ?? `the program answered ${answer.status}`;
    throw answer.status === 412 ? new FileChanged(reason, versionOf(answer)) : new Error(reason);
  }
}

const versionOf = (answer: Response) => (answer.headers.get('ETag') ?? '').replace(/^"|"$/g, '');
