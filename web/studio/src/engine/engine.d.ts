declare module 'engine' {
  interface Engine {
    _malloc(size: number): number;
    _free(at: number): void;
    _pawl_call(request: number, size: number): number;
    UTF8ToString(at: number): string;
    stringToUTF8(text: string, at: number, size: number): void;
    lengthBytesUTF8(text: string): number;
  }
  export default function createEngine(options: { wasmBinary: ArrayBuffer }): Promise<Engine>;
}
