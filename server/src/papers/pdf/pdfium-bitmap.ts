import type { PDFium } from '@hyzyla/pdfium/dist/vendor/pdfium.js'
import { PaperError } from '../paper-error.ts'
import type { PageImage } from './page-image.ts'
import type { PdfiumCalls } from './pdfium-calls.ts'

export interface PageToDraw {
  document: number
  index: number
  form: number
  /** Pixels per point; less if the image would exceed `megapixels`. */
  scale: number
  megapixels: number
}

type Ground = 'white' | 'mid grey'
/** Alpha, red, green, blue. */
const grounds: Readonly<Record<Ground, number>> = { white: 0xffffffff, 'mid grey': 0xff808080 }
/** Blue, green, red, alpha: pdfium does not blend colours when it draws in grey. */
const bgraBitmapFormat = 4
const annotationsFlag = 0x01
type DrawPage = (ground: Ground, more: { annotations: boolean }) => PageImage

/** `use` may change the page's objects between drawings. @throws {PaperError} */
export function withPageToDraw<T>(
  module: PDFium,
  calls: PdfiumCalls,
  { document, index, form, scale, megapixels }: PageToDraw,
  use: (page: number, draw: DrawPage) => T,
): T {
  const page = calls.FPDF_LoadPage(document, index)
  if (!page) throw new PaperError('damaged')
  calls.FORM_OnAfterLoadPage(page, form)
  try {
    const [across, down] = [calls.FPDF_GetPageWidthF(page), calls.FPDF_GetPageHeightF(page)]
    if (!(across > 0 && down > 0)) throw new PaperError('damaged')
    const pixels = Math.min(scale, Math.sqrt((megapixels * 1e6) / (across * down)))
    const width = Math.max(1, Math.round(across * pixels))
    const height = Math.max(1, Math.round(down * pixels))
    return use(page, (ground, { annotations }) =>
      drawBitmap(module, { width, height, ground: grounds[ground] }, (bitmap) => {
        const flags = annotations ? annotationsFlag : 0
        module._FPDF_RenderPageBitmap(bitmap, page, 0, 0, width, height, 0, flags)
        if (annotations) calls.FPDF_FFLDraw(form, bitmap, page, 0, 0, width, height, 0, 0)
      }),
    )
  } finally {
    calls.FORM_OnBeforeClosePage(page, form)
    calls.FPDF_ClosePage(page)
  }
}

function drawBitmap(
  module: PDFium,
  { width, height, ground }: { width: number; height: number; ground: number },
  draw: (bitmap: number) => void,
): PageImage {
  const size = 4 * width * height
  const pointer = module.wasmExports.malloc(size)
  if (pointer === 0) throw new PaperError('too_much_memory')
  const bitmap = module._FPDFBitmap_CreateEx(width, height, bgraBitmapFormat, pointer, 4 * width)
  try {
    module._FPDFBitmap_FillRect(bitmap, 0, 0, width, height, ground)
    draw(bitmap)
    return { width, height, data: toGreyscale(new Uint32Array(module.HEAPU8.buffer, pointer, width * height)) }
  } finally {
    module._FPDFBitmap_Destroy(bitmap)
    module.wasmExports.free(pointer)
  }
}

/** Of words whose lowest byte is blue. */
function toGreyscale(colours: Uint32Array): Uint8Array {
  const grey = new Uint8Array(colours.length)
  for (let at = 0; at < grey.length; at += 1) {
    const bgr = colours[at] ?? 0
    grey[at] = (77 * ((bgr >> 16) & 255) + 150 * ((bgr >> 8) & 255) + 29 * (bgr & 255)) >> 8
  }
  return grey
}
