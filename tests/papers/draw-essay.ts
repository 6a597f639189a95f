import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { seededRandom } from '../../server/src/lib/seeded-random.ts'
import { margin, newDocument, sheetHeight, sheetWidth, toBuffer, wrap } from './sheet.ts'

const fonts = join(dirname(createRequire(import.meta.url).resolve('pdfjs-dist/package.json')), 'standard_fonts')

const words =
  'the plant cell light energy water when because of a in it is and sugar that leaf grows carbon oxygen which makes more than root force ball moves with no other every part through before after some students measured slowly difference between experiment result shows therefore temperature field small large change'.split(
    ' ',
  )

/** Every third page in two columns, in embedded fonts as from word processors. */
export function drawEssay(pages: number, seed = 7): Promise<Buffer> {
  const random = seededRandom(seed)
  const doc = newDocument()
  doc.registerFont('body', join(fonts, 'LiberationSans-Regular.ttf'))
  doc.registerFont('bold', join(fonts, 'LiberationSans-Bold.ttf'))
  for (let page = 1; page <= pages; page += 1) {
    doc.addPage({ size: 'A4', margin: 0 })
    doc
      .font('bold')
      .fontSize(15)
      .text(`Chapter ${page}`, margin, margin + 10, { lineBreak: false, baseline: 'alphabetic' })
    const columns = page % 3 === 0 ? 2 : 1
    const width = (sheetWidth - 2 * margin - (columns - 1) * 24) / columns
    for (let column = 0; column < columns; column += 1) {
      const left = margin + column * (width + 24)
      doc.font('body').fontSize(10.5)
      let y = margin + 36
      for (const line of wrap(prose(random, 900), width, 'Helvetica', 10.5)) {
        if (y > sheetHeight - margin) break
        doc.text(line, left, y, { lineBreak: false, baseline: 'alphabetic' })
        y += 14
      }
    }
  }
  return toBuffer(doc)
}

function prose(random: () => number, count: number): string {
  const out: string[] = []
  for (let index = 0; index < count; index += 1) out.push(words[Math.floor(random() * words.length)] ?? 'the')
  return out.join(' ')
}
