import { describe, expect, it } from 'vitest'
import {
  changesOfMind,
  type FilledSheet,
  scanFilledSheets,
} from '../../../../tests/papers/answer-sheets/filled-sheets.ts'
import { measureAnswerSheets } from '../../../../tests/papers/answer-sheets/measure-answer-sheets.ts'
import { copyAt } from '../../../../tests/papers/copier.ts'
import { usePaperReader } from '../../testing/cached-paper-reader.ts'
import { layOutSheet, type SheetDesign } from './sheet-design.ts'

const { reader, papers } = usePaperReader()

const questions = (count: number) =>
  Array.from({ length: count }, (_, i) => ({ id: `q${i + 1}`, number: String(i + 1), options: 4 }))
const design: SheetDesign = { layout: 2, format: 'a4', questions: questions(30), digits: 5, versions: true }
const copyId = '00112233445566778899'
const choices = new Map<string, number | null>([
  ...design.questions.map(({ id }, i) => [id, i % 4] as const),
  ...[3, 1, 4, 1, 5].map((digit, place) => [String(place), digit] as const),
  ['version', 2],
])

async function readFilled(of: SheetDesign, ways: readonly Partial<FilledSheet>[], as = of, size = 1) {
  const copies = [{ copyId, name: 'Ada Lovelace', label: 'Sheet 1' }]
  const printed = await reader.printAnswerSheets([{ design: of, copies }], { title: 'Quiz', doubleSided: false })
  const sheets = ways.map((way) => ({ page: 1, design: of, sheetPage: 1, careful: true, choices, ...way }))
  const { scan } = await scanFilledSheets(printed, sheets, 7)
  const pages = sheets.map(({ sheetPage }, i) => ({ filePage: i + 1, copyId, page: sheetPage, design: as }))
  return reader.readAnswerSheets(await papers.put(size === 1 ? scan : await copyAt(scan, size)), pages)
}

const chosen = (page: Awaited<ReturnType<typeof readFilled>>[number] | undefined) =>
  new Map(page?.groups.map(({ id, chosen: index }) => [id, index]))

describe('an answer sheet', () => {
  it('is read as it was filled, upright, upside down, askew, coarse, or with a corner off the scan', async () => {
    const ways = [
      { turned: 0, dpi: 100 },
      { turned: 180, dpi: 150 },
      { turned: 1.7, dpi: 200 },
      { turned: -1, dpi: 100 },
    ]
    for (const page of await readFilled(design, ways)) {
      expect(page.problem).toBeNull()
      expect(chosen(page)).toEqual(choices)
    }
  })

  it.each([0.9, 1.1, 1])('is read on a copy at %d of its size, if of the first layout at 1', async (size) => {
    const of: SheetDesign = { ...design, layout: size === 1 ? 1 : 2 }
    for (const page of await readFilled(of, [{ turned: 0, dpi: 150 }], of, size))
      expect([page.problem, chosen(page)]).toEqual([null, choices])
  })

  it.each(['2227', '1000', '0003', '777377', '0000012', '7', '5555555'])(
    'reads the number %s as it was filled',
    async (number) => {
      const of: SheetDesign = { ...design, digits: number.length, versions: false }
      const filled = new Map([
        ...choices,
        ...[...number].map((digit, place) => [String(place), Number(digit)] as const),
      ])
      const accidents = new Map([...filled.keys()].map((id) => [id, 'tick'] as const))
      const ways = [{ dpi: 100 }, { dpi: 200 }, { dpi: 150, accidents }].map((way) => ({ ...way, choices: filled }))
      for (const page of await readFilled(of, ways)) {
        const digits = page.groups.filter(({ kind }) => kind === 'digit').map(({ chosen: index }) => index)
        expect(digits.join('')).toBe(number)
      }
    },
  )

  it('has several pages where its questions need them, each read by its own code', async () => {
    const long: SheetDesign = { ...design, questions: questions(150), digits: 0, versions: false }
    const answers = new Map(long.questions.map(({ id }, i) => [id, (i * 3) % 4]))
    expect(layOutSheet(long)).toHaveLength(2)
    const pages = await readFilled(
      long,
      [2, 1].map((page) => ({ page, sheetPage: page, choices: answers })),
    )
    expect(new Map(pages.flatMap((page) => [...chosen(page)]))).toEqual(answers)
  })

  it('says why a question is not read: nothing marked, two marked, too faint, badly erased', async () => {
    const printed = await reader.printAnswerSheets([{ design, copies: [{ copyId, name: '', label: '' }] }], {
      title: 'Quiz',
      doubleSided: false,
    })
    const accidents = new Map([
      ['q1', 'blank'],
      ['q2', 'double'],
      ['q3', 'faint'],
      ['q4', 'smeared'],
      ['q5', 'abandoned'],
    ] as const)
    const { scan } = await scanFilledSheets(
      printed,
      [{ page: 1, design, sheetPage: 1, careful: true, choices, accidents, turned: 0.5, dpi: 150 }],
      3,
    )
    const [page] = await reader.readAnswerSheets(await papers.put(scan), [{ filePage: 1, copyId, page: 1, design }])
    const flags = page?.groups.filter(({ flag }) => flag !== null).map(({ id, flag }) => [id, flag])
    // Whether anything is left of a mark that was erased and not made again depends on the eraser.
    expect(flags?.at(-1)?.[0]).toBe('q5')
    expect(flags?.slice(0, -1)).toEqual([
      ['q1', 'none'],
      ['q2', 'double'],
      ['q3', 'faint'],
      ['q4', 'erased'],
    ])
  })

  it('is refused rather than read by another row, where corners are torn or it is of another layout or copy', async () => {
    const corner = (x: number, y: number, radius: number) => ({ torn: { x, y, radius }, turned: 0, dpi: 150 })
    const [little, ...torn] = await readFilled(design, [corner(0, 0, 80), corner(0, 0, 130), corner(595, 842, 130)])
    expect(chosen(little)).toEqual(choices)
    expect(torn.map(({ problem, groups }) => [problem, groups])).toEqual([
      ['bars', []],
      ['bars', []],
    ])
    const copies = [{ copyId, name: '', label: '' }]
    const printed = await reader.printAnswerSheets([{ design, copies }], { title: 'Quiz', doubleSided: false })
    const file = await papers.put(printed)
    const other = { filePage: 1, copyId: 'f'.repeat(20), page: 1, design }
    const [wrong, missing] = await reader.readAnswerSheets(file, [other, { filePage: 1, copyId, page: 2, design }])
    expect([wrong?.problem, missing?.problem]).toEqual(['code', 'code'])
  })

  it('is read where all answers are true, or all are yes', async () => {
    const truths = (['TF', 'YN'] as const).flatMap((truth) =>
      [1, 2, 3].map((i) => ({ id: `${truth}${i}`, number: `${truth}${i}`, options: 2, truth })),
    )
    const of: SheetDesign = { ...design, questions: truths, digits: 0, versions: false }
    const all = new Map(truths.map(({ id }) => [id, 0]))
    const [page] = await readFilled(of, [{ choices: all, turned: -0.7, dpi: 100 }])
    expect(chosen(page)).toEqual(all)
  })

  it('refuses a design that has no room', () => {
    expect(() => layOutSheet({ ...design, questions: [{ id: 'q', number: '1', options: 7 }] })).toThrow(RangeError)
    expect(() => layOutSheet({ ...design, digits: 13 })).toThrow(RangeError)
  })
})

it('reads pencils of all kinds without one wrong answer in this class, and flags few', async () => {
  const { marks, wrong, flagged } = await measureAnswerSheets(21, { students: 30 })
  expect(wrong).toBe(0)
  expect(flagged / marks).toBeLessThan(0.03)
})

it('takes no circle that was erased for a mark where the student’s marks are thin', async () => {
  const isErased = (i: number) => i % 3 === 2
  const accidents = new Map(design.questions.map(({ id }, i) => [id, isErased(i) ? 'abandoned' : 'tick'] as const))
  const [page] = await readFilled(design, [{ accidents, dpi: 150, turned: 0.5 }])
  const read = design.questions.map(({ id }, i) => {
    const index = chosen(page).get(id)
    return index === null ? 'flagged' : isErased(i) || index !== i % 4 ? 'wrong' : 'right'
  })
  expect(read).not.toContain('wrong')
  expect(read.filter((one) => one === 'right').length).toBeGreaterThan(15)
})

it.each(['fill', 'tick'] as const)(
  'reads a change of mind in ink (%s) where it is plain, else says so',
  async (style) => {
    const how = (i: number) => (i % 3 === 0 ? changesOfMind[(i / 3) % changesOfMind.length] : undefined)
    const accidents = new Map(
      design.questions.flatMap(({ id }, i) => (how(i) ? [[id, how(i) ?? 'ringed'] as const] : [])),
    )
    const pages = await readFilled(
      { ...design, digits: 0 },
      [100, 150, 200].map((dpi) => ({ style, accidents, dpi, turned: 0.4 })),
    )
    const read = pages.flatMap((page) =>
      design.questions.map(({ id }, i) => {
        const index = chosen(page).get(id)
        return { how: how(i) ?? 'usual', as: index === null ? 'flagged' : index === i % 4 ? 'right' : 'wrong' }
      }),
    )
    const all = (of: string) => read.filter(({ how }) => how === of).map(({ as }) => as)
    for (const unclear of ['crossed out', 'both'] as const) expect(new Set(all(unclear))).toEqual(new Set(['flagged']))
    expect(new Set(all('usual'))).toEqual(new Set(['right']))
    const plain = ['ringed', 'moved', 'moved to ring'].flatMap(all)
    expect(plain).not.toContain('wrong')
    expect(plain.filter((as) => as === 'right').length).toBeGreaterThan(0.8 * plain.length)
  },
)
