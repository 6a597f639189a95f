import { expect, it } from 'vitest'
import { scanFilledSheets } from '../../../tests/papers/answer-sheets/filled-sheets.ts'
import { drawEssay } from '../../../tests/papers/draw-essay.ts'
import { drawStudentPaper } from '../../../tests/papers/draw-papers.ts'
import { hostileFiles } from '../../../tests/papers/hostile-files.ts'
import { drawPhotoJpeg } from '../../../tests/papers/photo.ts'
import { smallQuiz } from '../testing/build-course.ts'
import { usePaperReader } from '../testing/use-paper-reader.ts'
import type { SheetDesign } from './answer-sheet/sheet-design.ts'

// One look at each reader of pixels and each writer; the slow tests beside them have the rest.
const { reader, papers } = usePaperReader()

const student = { full_name: 'Ada Lovelace', username: '', email: '', student_number: '' }
const answer = 'Ice is less dense than water'
const quiz = { ...smallQuiz, questions: smallQuiz.questions.slice(0, 1) }
const copy = { copyId: '00112233445566778899', name: 'Ada Lovelace', label: 'Copy 1' }
const draw = async (style: 'typed' | 'scanned') => papers.put(await drawStudentPaper(quiz, student, [answer], style))
const textOf = async (file: string) =>
  (await reader.read(file)).pages.flatMap(({ lines }) => lines.map(({ text }) => text)).join('\n')

it('reads a scanned page by OCR', async () => {
  const { pages } = await reader.read(await draw('scanned'))
  const lines = pages.flatMap((page) => page.lines)
  expect(lines.every(({ source }) => source === 'ocr')).toBe(true)
  expect(lines.map(({ text }) => text).join('\n')).toContain(answer)
})

it('prints copies with codes, and reads the codes', async () => {
  const printed = await reader.printCopies(await draw('typed'), [copy], { doubleSided: false })
  const codes = await reader.readPageCodes(await papers.put(printed))
  expect(codes).toMatchObject([{ filePage: 1, copyId: copy.copyId, page: 1 }])
})

it('prints an answer sheet, and reads which circles were filled', async () => {
  const questions = [1, 2, 3].map((n) => ({ id: `q${n}`, number: String(n), options: 4 }))
  const design: SheetDesign = { layout: 1, format: 'a4', questions, digits: 0, versions: false }
  const printed = await reader.printAnswerSheets([{ design, copies: [copy] }], { title: 'Quiz', doubleSided: false })
  const choices = new Map(questions.map(({ id }, i) => [id, i]))
  const { scan } = await scanFilledSheets(
    printed,
    [{ page: 1, design, sheetPage: 1, careful: true, choices, dpi: 100 }],
    7,
  )
  const file = await papers.put(scan)
  const [page] = await reader.readAnswerSheets(file, [{ filePage: 1, copyId: copy.copyId, page: 1, design }])
  expect(page?.problem).toBeNull()
  expect(new Map(page?.groups.map(({ id, chosen }) => [id, chosen]))).toEqual(choices)
})

it('finds the sheet in a photo', async () => {
  const photo = await drawPhotoJpeg(await drawEssay(1), { seed: 3, table: 'wood', width: 700 })
  const page = await reader.pageOfPicture({ file: await papers.put(photo), corners: 'find', turns: 0 })
  expect(page.corners).toHaveLength(4)
})

it('writes points into the line of an answer, behind a cover', async () => {
  const file = await draw('typed')
  const line = (await reader.read(file)).pages[0]?.lines.find(({ text }) => text.includes(answer))
  if (!line) throw new Error('no line of the answer')
  const note = { key: 'a', page: 1, box: line.box, verdict: 'partial' as const, points: '3 / 5', part: '', comment: '' }
  const markup = {
    title: 'Quiz',
    cover: [{ kind: 'title' as const, text: 'Your quiz', above: '' }],
    notes: [note],
    turned: [],
  }
  const { pages } = await reader.read(await papers.put(await reader.markUp(file, markup)))
  expect(pages[0]?.lines.map(({ text }) => text)).toContain('Your quiz')
  expect(pages[1]?.lines.map(({ text }) => text).join('\n')).toContain('3 / 5')
})

it.each([
  ['locked', 'encrypted'],
  ['header-only', 'damaged'],
])('refuses a file that is %s, and reads the next', async (name, code) => {
  const bytes = await hostileFiles.find((file) => file.name === name)?.create()
  await expect(reader.read(await papers.put(bytes ?? Buffer.alloc(0)))).rejects.toMatchObject({ code })
  expect(await textOf(await draw('typed'))).toContain(answer)
})
