import { performance } from 'node:perf_hooks'
import type { SheetDesign } from '../../../server/src/papers/answer-sheet/sheet-design.ts'
import type { GroupReading } from '../../../server/src/papers/answer-sheet/sheet-reading.ts'
import { createPaperReader } from '../../../server/src/papers/paper-reader.ts'
import { createPaperFolder } from '../temporary-papers.ts'
import { type MeantMark, scanFilledSheets } from './filled-sheets.ts'

interface MeasuredSheets {
  sheets: number
  marks: number
  wrong: number
  flagged: number
  refused: number
  sheetsPerSecond: number
  problems: string[]
  readings: { meant: MeantMark; read: GroupReading | null; sheet: number }[]
}

export async function measureAnswerSheets(
  seed: number,
  { students = 100, questions = 40, digits = 6 } = {},
): Promise<MeasuredSheets> {
  const design: SheetDesign = {
    layout: 2,
    format: 'a4',
    questions: Array.from({ length: questions }, (_, i) => ({
      id: `q${i + 1}`,
      number: String(i + 1),
      options: 2 + ((i * 3) % 5),
    })),
    digits,
    versions: true,
  }
  const copies = Array.from({ length: students }, (_, i) => ({
    copyId: (seed * 1000 + i).toString(16).padStart(20, '0'),
    name: '',
    label: `Sheet ${i + 1}`,
  }))
  const reader = createPaperReader({ processes: 1 })
  const papers = await createPaperFolder()
  try {
    const printed = await reader.printAnswerSheets([{ design, copies }], { title: 'Quiz', doubleSided: false })
    const { scan, meant } = await scanFilledSheets(
      printed,
      copies.map((_, i) => ({ page: i + 1, design, sheetPage: 1 })),
      seed,
    )
    const file = await papers.put(scan)
    const start = performance.now()
    const read = await reader.readAnswerSheets(
      file,
      copies.map(({ copyId }, i) => ({ filePage: i + 1, copyId, page: 1, design })),
    )
    const seconds = (performance.now() - start) / 1000
    const readings = meant.flatMap((marks, sheet) =>
      marks.map((one) => {
        const group = read[sheet]?.groups.find(({ kind, id }) => kind === one.kind && id === one.id)
        return { meant: one, read: group ?? null, sheet }
      }),
    )
    const isClaimed = ({ read: group }: (typeof readings)[number]) => group !== null && group.flag === null
    return {
      sheets: students,
      marks: readings.length,
      wrong: readings.filter((one) => isClaimed(one) && one.read?.chosen !== one.meant.chosen).length,
      flagged: readings.filter((one) => !isClaimed(one)).length,
      refused: read.filter(({ problem }) => problem !== null).length,
      problems: read.flatMap(({ problem }) => problem ?? []),
      sheetsPerSecond: students / seconds,
      readings,
    }
  } finally {
    await reader.close()
    await papers.remove()
  }
}
