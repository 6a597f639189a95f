import type { PDFium } from '@hyzyla/pdfium/dist/vendor/pdfium.js'

/** WebAssembly tables hold functions of modules only, so a module imports and exports it (core specification, 5.5). */
function wrapCallback(callback: (self: number, data: number, size: number) => number): WebAssembly.ExportValue {
  const bytes = Uint8Array.from([
    ...[0, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    // Type 0: (i32, i32, i32) -> i32.
    ...[1, 8, 1, 0x60, 3, 0x7f, 0x7f, 0x7f, 1, 0x7f],
    // Import "e" "f" of type 0.
    ...[2, 7, 1, 1, 0x65, 1, 0x66, 0, 0],
    // Export it as "f".
    ...[7, 5, 1, 1, 0x66, 0, 0],
  ])
  const instance = new WebAssembly.Instance(new WebAssembly.Module(bytes), { e: { f: callback } })
  const { f } = instance.exports
  if (f === undefined) throw new Error('the wrapped function is not there')
  return f
}

/** Slot 0 is the null pointer, which nothing calls; pdfium's table has a fixed size. */
const NULL_SLOT = 0

/** Calls `save` with a pointer to an FPDF_FILEWRITE (fpdf_save.h), and returns what was written. */
export function collectWrites(module: PDFium, save: (fileWrite: number) => boolean): Buffer | null {
  const exported = module.wasmExports as unknown as Record<string, unknown>
  const table = exported.__indirect_function_table
  if (!(table instanceof WebAssembly.Table)) throw new Error('pdfium has no table of functions')
  const parts: Uint8Array[] = []
  const write = wrapCallback((_self, data, size) => {
    parts.push(module.HEAPU8.slice(data, data + size))
    return 1
  })
  const pointer = module.wasmExports.malloc(8)
  table.set(NULL_SLOT, write)
  try {
    const view = new DataView(module.HEAPU8.buffer)
    // Version 1 and the address of WriteBlock.
    view.setInt32(pointer, 1, true)
    view.setInt32(pointer + 4, NULL_SLOT, true)
    return save(pointer) ? Buffer.concat(parts) : null
  } finally {
    table.set(NULL_SLOT, null)
    module.wasmExports.free(pointer)
  }
}
