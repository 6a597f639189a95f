import { PaperError } from '../paper-error.ts'
import { newPdfiumDocument, withPdfium } from '../pdf/pdfium-document.ts'

export interface ComposedPage {
  file: string
  number: number
  turn: 0 | 90 | 180 | 270
}

export async function composePaper(pages: readonly ComposedPage[]): Promise<Buffer> {
  if (pages.length === 0) throw new PaperError('empty')
  const made = await newPdfiumDocument()
  try {
    const files = [...new Set(pages.map(({ file }) => file))]
    // By file, so that only one is open at a time.
    const places: { file: string; index: number }[] = pages.map(({ file }, index) => ({ file, index }))
    const done: number[] = []
    for (const file of files) {
      const own = places.filter((place) => place.file === file)
      await withPdfium(file, async (document) => {
        for (const { index } of own) {
          const page = pages[index]
          if (!page) continue
          if (page.number > document.pages) throw new PaperError('no_such_page')
          const at = done.filter((other) => other < index).length
          made.importPage(document, page.number, at)
          made.turnPage(at, page.turn)
          done.push(index)
        }
      })
    }
    return made.save()
  } finally {
    made.close()
  }
}
