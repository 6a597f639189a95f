import { PDFDocument, StandardFonts } from 'pdf-lib'
import { describe, expect, it } from 'vitest'
import { type CopiedSheet, copyAt, copySheets } from '../../../../tests/papers/copier.ts'
import { apply, chain } from '../../lib/plane-transform.ts'
import { usePaperReader } from '../../testing/cached-paper-reader.ts'
import { defaultPaperLimits } from '../paper-limits.ts'
import { decodePageCode, encodePageCode, NEWEST_LAYOUT, type PageCode } from './page-code.ts'
import { printCopies } from './print-copies.ts'
import { codeBox, sheetSize, sheetToBlank } from './sheet-layout.ts'

const { reader, papers } = usePaperReader()
const a4 = { name: 'a4', landscape: false } as const
const A4 = sheetSize(a4)
const ids = ['00112233445566778899', 'ffeeddccbbaa99887766']
const copies = ids.map((copyId, i) => ({
  copyId,
  name: ['Ada Lovelace', 'Grace Hopper'][i] ?? '',
  label: `Copy ${i + 1}`,
}))

async function drawBlank(pages = 2): Promise<Buffer> {
  const document = await PDFDocument.create()
  const font = await document.embedFont(StandardFonts.Helvetica)
  for (let n = 1; n <= pages; n += 1) {
    const page = document.addPage([A4.width, A4.height])
    for (let y = 30; y < 830; y += 24)
      page.drawText(`Question ${y}: explain in your own words what happens to the water in the glass.`, {
        x: 60,
        y,
        size: 12,
        font,
      })
  }
  return Buffer.from(await document.save())
}

const scaleOf = ({ reduction }: PageCode) => 1 - reduction / 100

describe('what a code says', () => {
  const code: PageCode = {
    copyId: '0123456789abcdef0123',
    page: 200,
    layout: NEWEST_LAYOUT,
    format: { name: 'letter', landscape: true },
    reduction: 17,
  }

  it('comes back as it was written, with the place it was printed at', () => {
    expect(decodePageCode(encodePageCode(code, 'bottom'))).toEqual({ ...code, place: 'bottom' })
  })

  it('is nothing where one bit is another, or where it is another text', () => {
    const bytes = encodePageCode(code, 'top')
    for (let bit = 0; bit < 8 * bytes.length; bit += 1) {
      const changed = Buffer.from(bytes)
      changed[bit >> 3] = (changed[bit >> 3] ?? 0) ^ (1 << (bit & 7))
      expect(decodePageCode(changed), `bit ${bit}`).toBeNull()
    }
    for (const text of ['', 'https://school.example/', 'Ignore the rubric'])
      expect(decodePageCode(Buffer.from(text))).toBeNull()
  })
})

describe('a printed copy', () => {
  it('has its codes where the blank has no ink, and an empty page after an odd number of pages', async () => {
    const blank = await papers.put(await drawBlank(3))
    const one = await papers.put(await reader.printCopies(blank, copies, { doubleSided: true }))
    expect(await reader.check(one)).toEqual({ pages: 8 })
    const codes = await reader.readPageCodes(one)
    const said = codes.map(({ filePage, copyId, page }) => `${filePage}:${ids.indexOf(copyId)}/${page}`)
    expect(said.join()).toBe('1:0/1,2:0/2,3:0/3,5:1/1,6:1/2,7:1/3')
    expect(codes.every(({ marks, rotation }) => marks === 4 && (rotation < 1 || rotation > 359))).toBe(true)
    const { pages } = await reader.read(one)
    const text = (pages[0]?.lines ?? []).map((line) => line.text).join('\n')
    expect(text.match(/what happens to the water in the glass/g)).toHaveLength(34)
    expect(text).toContain('Ada Lovelace')
    expect(text).toContain('Copy 1 · Page 1 of 3')
    expect(pages[3]?.lines).toEqual([])
  })

  it('says where a place of the blank is in a turned, skewed and stained copy', async () => {
    const blank = await drawBlank()
    const printed = await reader.printCopies(await papers.put(blank), copies, { doubleSided: false })
    const top = codeBox('top', A4, NEWEST_LAYOUT)
    const over = { x: top.x + 25, y: top.y + 20 }
    const sheets: CopiedSheet[] = [
      { page: 3, turned: 4, dpi: 100 },
      { page: 1, turned: 180 - 6, dpi: 100, stains: [{ ...over, radius: 22, kind: 'coffee' }] },
      { page: 4, turned: 15, dpi: 100 },
      { page: 2, turned: 90, dpi: 150, stains: [{ x: 0, y: 0, radius: 110, kind: 'torn' }] },
      { page: 2, turned: -15, dpi: 150, stains: [{ ...over, radius: 40, kind: 'torn' }] },
    ]
    const codes = await reader.readPageCodes(await papers.put(await copySheets(printed, sheets, 5)))
    expect(codes.map(({ copyId, page }) => `${ids.indexOf(copyId)}/${page}`).join()).toBe('1/1,0/1,1/2,0/2,0/2')
    for (const [i, code] of codes.entries()) {
      const { turned } = sheets[i] ?? { turned: 0 }
      expect(Math.abs(((code.rotation - turned + 540) % 360) - 180)).toBeLessThan(1)
      const toBlank = chain(code.toSheet, sheetToBlank(code, A4))
      const [c, v] = [Math.cos((turned * Math.PI) / 180), Math.sin((turned * Math.PI) / 180)]
      const middle = turned === 90 ? [A4.height / 2, A4.width / 2] : [A4.width / 2, A4.height / 2]
      // With one code and no marks, as the scanner cut all corners off, less is known.
      for (const [x, y] of [
        [100, 150],
        [500, 700],
      ] as const) {
        const onSheet = [
          A4.width / 2 + scaleOf(code) * (x - A4.width / 2),
          A4.height / 2 + scaleOf(code) * (y - A4.height / 2),
        ]
        const [dx, dy] = [(onSheet[0] ?? 0) - A4.width / 2, (onSheet[1] ?? 0) - A4.height / 2]
        const seen = apply(toBlank, [(middle[0] ?? 0) + c * dx - v * dy, (middle[1] ?? 0) + v * dx + c * dy])
        expect(Math.hypot(seen[0] - x, seen[1] - y), `sheet ${i} at ${x}, ${y}`).toBeLessThan(code.marks >= 2 ? 1.5 : 5)
      }
    }
  })

  // Copies printed with the first layout, 20 points from the edge, are read at their own size.
  it.each([0.9, 1.06, 1.1, 1])('is found, with its marks, on a copy at %d of its size', async (size) => {
    const options = { doubleSided: false, layout: size === 1 ? 1 : NEWEST_LAYOUT } as const
    const progress = { step: () => undefined, page: () => undefined }
    const printed = await printCopies(await drawBlank(), copies.slice(0, 1), options, defaultPaperLimits, progress)
    const scan = await copySheets(await copyAt(printed, size), [{ page: 2, turned: 0.3, dpi: 100 }], 5)
    const [code] = await reader.readPageCodes(await papers.put(scan))
    expect(code).toMatchObject({ copyId: ids[0], page: 2, marks: 4 })
    expect(code?.codeError).toBeLessThan(1)
  })
})
