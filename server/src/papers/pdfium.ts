import { PDFiumLibrary } from '@hyzyla/pdfium'
import { PaperError } from './paper-error.ts'
import type { PaperLimits } from './paper-limits.ts'
import { isTrap } from './pdfjs-document.ts'

export interface PageImage {
  /** Pixels. */
  width: number
  height: number
  /** 4 bytes a pixel (RGBA) or 1 (grey). */
  data: Uint8Array
}

/** A PDF opened by pdfium, which draws pages. */
export interface PdfiumDocument {
  pages: number
  /**
   * Draws page `number` (from 1), either to a width in pixels or at `scale` pixels a point. A page that
   * would have too many pixels is drawn smaller.
   */
  render(
    number: number,
    size: { width: number } | { scale: number },
    limits: PaperLimits,
    colours: 'BGRA' | 'Gray',
  ): Promise<PageImage>
}

let loading: Promise<PDFiumLibrary> | undefined

/** pdfium costs some 50 ms and 30 MB to load, so it is loaded by the first paper that needs it. */
function load(): Promise<PDFiumLibrary> {
  loading ??= PDFiumLibrary.init()
  return loading
}

/** Opens a PDF with pdfium, hands it to `use`, and always lets go of it. Throws PaperError. */
export async function withPdfium<T>(
  bytes: Uint8Array,
  use: (document: PdfiumDocument) => Promise<T>,
): Promise<T> {
  const library = await load()
  const document = await library.loadDocument(bytes).catch((error: unknown) => {
    if (isTrap(error)) throw error
    const locked = error instanceof Error && /password|security/i.test(error.message)
    throw new PaperError(locked ? 'encrypted' : 'damaged', undefined, { cause: error })
  })
  try {
    return await use({
      pages: document.getPageCount(),
      async render(number, size, limits, colours) {
        if (number < 1 || number > document.getPageCount())
          throw new PaperError('damaged', `There is no page ${number} in this PDF.`)
        const page = document.getPage(number - 1)
        const { originalWidth, originalHeight } = page.getOriginalSize()
        if (!(originalWidth > 0 && originalHeight > 0)) throw new PaperError('damaged')
        const wished = 'scale' in size ? size.scale : size.width / originalWidth
        const most = Math.sqrt((limits.megapixels * 1e6) / (originalWidth * originalHeight))
        const scale = Math.min(wished, most)
        // `render` also closes the page, which therefore serves once.
        const { width, height, data } = await page.render({
          width: Math.max(1, Math.round(originalWidth * scale)),
          height: Math.max(1, Math.round(originalHeight * scale)),
          colorSpace: colours,
          // Without it what was typed into a form is missing from the picture.
          renderFormFields: true,
        })
        return { width, height, data }
      },
    })
  } finally {
    document.destroy()
  }
}
