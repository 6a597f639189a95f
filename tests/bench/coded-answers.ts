/**
 * `node tests/bench/coded-answers.ts`: pages of printed copies whose answers repeat questions of the test, scanned askew and photographed at an
 * angle. How many answers are given to the question they stand under, by print alone and by the marks in the corners.
 */
import { createPaperReader } from '../../server/src/papers/paper-reader.ts'
import { type CodedSheet, countPlacedAnswers } from '../papers/coded-answers.ts'
import { createPaperFolder } from '../papers/temporary-papers.ts'

const scans = [0, 3, -5, 8, -11, 15, 180, 176].flatMap((turned, i): CodedSheet[] =>
  [150, 200].map((dpi, k) => ({ scan: { turned, dpi }, shift: ((i + k) % 3) + 1 })),
)
const photos = (['wood', 'checks', 'dark', 'stripes', 'white'] as const).flatMap((table, i): CodedSheet[] =>
  [1, 2].map((shift) => ({ photo: { seed: 6000 + 10 * i + shift, table }, shift })),
)

const reader = createPaperReader({ processes: 1 })
const folder = await createPaperFolder()
try {
  for (const [what, sheets] of [
    ['scans', scans],
    ['photos', photos],
  ] as const) {
    const { answers, byPrint, byMarks, placed } = await countPlacedAnswers(sheets, reader, folder)
    console.log(`${what}: ${sheets.length} pages, ${placed} placed by their marks, ${answers} answers`)
    console.log(`  under the right question by print alone ${byPrint}, by the marks ${byMarks}`)
  }
} finally {
  await reader.close()
  await folder.remove()
}
