import { PDFDocument, StandardFonts } from 'pdf-lib'
import { extractAnswers } from '../../server/src/grader/extraction/extract-answers.ts'
import { generateRubric } from '../../server/src/grader/rubric/generate-rubric.ts'
import { isPlacedByMarks, pageToBlank } from '../../server/src/papers/codes/blank-on-page.ts'
import { placePage, sheetSize } from '../../server/src/papers/codes/sheet-layout.ts'
import type { PaperReader } from '../../server/src/papers/paper-reader.ts'
import { picturesToPdf } from '../../server/src/papers/pdf/pictures-to-pdf.ts'
import type { Paper } from '../../shared/src/papers.ts'
import { type CopiedSheet, copySheets } from './copier.ts'
import { drawPhotoJpeg, type PhotoOptions } from './photo.ts'

const A4 = sheetSize({ name: 'a4', landscape: false })
/** Of each answer, the word that is in no other. */
const QUESTIONS = [
  ['Which gas do plants take in from the air in daylight?', 'dioxide'],
  ['Which gas do plants give off to the air in daylight?', 'oxygen'],
  ['Which part of a plant takes in water from the soil?', 'roots'],
  ['Which part of a plant takes in light from the sun?', 'leaves'],
  ['Which part of a flower becomes the fruit of a plant?', 'ovary'],
  ['Which part of a flower makes the pollen of a plant?', 'anther'],
  ['Which green substance in a leaf takes in light?', 'chlorophyll'],
  ['Which insects carry pollen from flower to flower?', 'bees'],
] as const
const STEP = 88

const questionAt = (i: number) => `${i + 1}. ${QUESTIONS[i % QUESTIONS.length]?.[0]} (2 points)`

const writtenAt = (i: number, shift: number) => [
  questionAt((i + shift) % QUESTIONS.length),
  `It is the ${QUESTIONS[i]?.[1]}, I think.`,
]

async function drawSheet(answers: boolean): Promise<Buffer> {
  const document = await PDFDocument.create()
  const font = await document.embedFont(StandardFonts.Helvetica)
  const page = document.addPage([A4.width, A4.height])
  page.drawText('Plants and light, a short test', { x: 60, y: 755, size: 14, font })
  for (const [i, [, answer]] of QUESTIONS.entries()) {
    page.drawText(questionAt(i), { x: 60, y: 725 - STEP * i, size: 11, font })
    if (answers) page.drawText(answer, { x: 80, y: 700 - STEP * i, size: 11, font })
  }
  return Buffer.from(await document.save())
}

/** Answers repeat the questions `shift` farther on. */
async function writeOnCopy(reader: PaperReader, blankFile: string, shift: number): Promise<Buffer> {
  const copies = [{ copyId: '00112233445566778899', name: '', label: 'Copy 1' }]
  const printed = await reader.printCopies(blankFile, copies, { doubleSided: false })
  const document = await PDFDocument.load(printed)
  const font = await document.embedFont(StandardFonts.TimesRomanItalic)
  const { scale, x, y } = placePage(A4, A4, 0)
  for (const i of QUESTIONS.keys())
    for (const [row, text] of writtenAt(i, shift).entries())
      document
        .getPage(0)
        .drawText(text, { x: x + scale * 80, y: y + scale * (703 - STEP * i - 20 * row), size: 12, font })
  return Buffer.from(await document.save())
}

export type CodedSheet =
  | { photo: Pick<PhotoOptions, 'seed' | 'table'>; shift: number }
  | { scan: Omit<CopiedSheet, 'page'>; shift: number }

/** By print alone and by the marks; of how many. */
export async function countPlacedAnswers(
  sheets: readonly CodedSheet[],
  reader: PaperReader,
  folder: { put(bytes: Buffer): Promise<string> },
): Promise<{ answers: number; byPrint: number; byMarks: number; placed: number }> {
  const blankFile = await folder.put(await drawSheet(false))
  const blank = await reader.read(blankFile)
  const rubric = generateRubric(blank, await reader.read(await folder.put(await drawSheet(true))))
  const right = (paper: Paper) => {
    const { answers } = extractAnswers(rubric, blank, paper)
    const has = (i: number, word: string) => answers[i]?.text.toLowerCase().includes(`the ${word}`) ?? false
    return QUESTIONS.filter((_, i) => QUESTIONS.every(([, word], of) => has(i, word) === (i === of))).length
  }
  const sum = { answers: 0, byPrint: 0, byMarks: 0, placed: 0 }
  for (const [i, sheet] of sheets.entries()) {
    const written = await writeOnCopy(reader, blankFile, sheet.shift)
    const file = await folder.put(
      'scan' in sheet
        ? await copySheets(written, [{ ...sheet.scan, page: 1 }], i)
        : picturesToPdf([
            await reader.pageOfPicture({
              file: await folder.put(await drawPhotoJpeg(written, { width: 2250, shadow: 0.5, ...sheet.photo })),
              corners: 'find',
              turns: 0,
            }),
          ]),
    )
    const paper = await reader.read(file)
    const [code] = await reader.readPageCodes(file)
    const [page] = paper.pages
    const [of] = blank.pages
    if (!page || !of) throw new Error('a page')
    const printed = code ? { ...page, printed_page: code.page } : page
    const exact = code !== undefined && isPlacedByMarks(code)
    const to_blank = code ? { transform: [...pageToBlank(page, code, of)], exact } : null
    sum.answers += QUESTIONS.length
    sum.placed += exact ? 1 : 0
    sum.byPrint += right({ pages: [printed] })
    sum.byMarks += right({ pages: [to_blank ? { ...printed, to_blank } : printed] })
  }
  return sum
}
