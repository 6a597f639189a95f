/** Node's types leave it to those of browsers. */
declare namespace WebAssembly {
  type ExportValue = unknown
  class Module {
    constructor(bytes: Uint8Array)
  }
  class Instance {
    constructor(module: Module, imports: Record<string, Record<string, unknown>>)
    readonly exports: Record<string, ExportValue>
  }
  class Table {
    set(index: number, value: unknown): void
  }
}
