/**
 * `node tests/bench/page-codes.ts`: a class of 40 papers of 4 pages is printed with codes and scanned as a copier and a tired teacher would:
 * shuffled, some upside down, skewed by up to 15°, grey JPEGs of 100 to 200 dpi, coffee or a tear over some codes.
 */
import { randomBytes } from 'node:crypto'
import { PDFDocument } from 'pdf-lib'
import { seededRandom } from '../../server/src/lib/seeded-random.ts'
import { codeBox, sheetSize } from '../../server/src/papers/codes/sheet-layout.ts'
import { createPaperReader } from '../../server/src/papers/paper-reader.ts'
import { type CopiedSheet, copySheets } from '../papers/copier.ts'
import { drawLayoutBlank } from '../papers/layouts/exam-layout.ts'
import { longExam } from '../papers/long-exam.ts'
import { createPaperFolder } from '../papers/temporary-papers.ts'

const [COPIES, PAGES] = [40, 4]

async function fourPages(): Promise<Buffer> {
  const whole = await PDFDocument.load(await drawLayoutBlank(longExam))
  const document = await PDFDocument.create()
  for (const page of await document.copyPages(whole, [0, 1, 2, 3])) document.addPage(page)
  return Buffer.from(await document.save())
}

const reader = createPaperReader({ processes: 1 })
const papers = await createPaperFolder()
const random = seededRandom(15)
const pick = <T>(from: readonly [T, ...T[]]): T => from[Math.floor(random() * from.length)] ?? from[0]
try {
  const blank = await papers.put(await fourPages())
  const copies = Array.from({ length: COPIES }, (_, i) => ({
    copyId: randomBytes(10).toString('hex'),
    name: '',
    label: `Copy ${i + 1}`,
  }))
  const many = Array.from({ length: 300 }, (_, i) => ({
    copyId: randomBytes(10).toString('hex'),
    name: `Student ${i}`,
    label: '',
  }))
  const began = performance.now()
  const large = await reader.printCopies(blank, many, { doubleSided: false })
  const took = ((performance.now() - began) / 1000).toFixed(1)
  console.log(`300 copies of ${PAGES} pages printed in ${took} s, ${(large.length / 2 ** 20).toFixed(1)} MB`)
  const printed = await reader.printCopies(blank, copies, { doubleSided: false })
  const size = sheetSize({ name: 'a4', landscape: false })
  const sheets = Array.from({ length: COPIES * PAGES }, (_, i): CopiedSheet => {
    const code = codeBox(pick(['top', 'bottom']), size)
    const stain = {
      x: code.x + code.width * random(),
      y: code.y + code.height * random(),
      radius: 12 + 20 * random(),
      kind: pick(['coffee', 'coffee', 'torn'] as const),
    }
    const turned = (random() < 0.2 ? 180 : 0) + (random() < 0.3 ? 30 * (random() - 0.5) : 4 * (random() - 0.5))
    return { page: i + 1, turned, dpi: pick([100, 150, 200]), ...(random() < 0.4 ? { stains: [stain] } : {}) }
  })
    .map((sheet) => ({ sheet, at: random() }))
    .sort((a, b) => a.at - b.at)
    .map(({ sheet }) => sheet)
  const scan = await papers.put(await copySheets(printed, sheets, 15))
  const start = performance.now()
  const codes = await reader.readPageCodes(scan)
  const seconds = (performance.now() - start) / 1000
  const isRight = ({ filePage, copyId, page }: (typeof codes)[number]) => {
    const at = (sheets[filePage - 1]?.page ?? 0) - 1
    return copies[Math.floor(at / PAGES)]?.copyId === copyId && (at % PAGES) + 1 === page
  }
  const right = codes.filter(isRight).length
  console.log(
    `${sheets.length} pages: ${right} read and right, ${codes.length - right} wrong, ${sheets.length - codes.length} not read`,
  )
  console.log(`${(sheets.length / seconds).toFixed(1)} pages a second`)
  const placed = codes.filter(({ marks }) => marks >= 2).length
  console.log(`${placed} with two corner marks or more`)
  const known = new Set(codes.map(({ filePage }) => filePage))
  for (const [i, sheet] of sheets.entries()) if (!known.has(i + 1)) console.log('not read:', JSON.stringify(sheet))
} finally {
  await reader.close()
  await papers.remove()
}
