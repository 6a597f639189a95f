import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { extractAnswers } from '../../server/src/grader/extraction/extract-answers.ts'
import { generateRubric } from '../../server/src/grader/rubric/generate-rubric.ts'
import { createPaperReader } from '../../server/src/papers/paper-reader.ts'
import { drawLayoutBlank, drawLayoutKey, drawLayoutPaper } from '../papers/layouts/exam-layout.ts'
import { longExam } from '../papers/long-exam.ts'

interface LongExamCost {
  pages: number
  parts: number
  /** Parts whose answer came out as it was written. */
  found: number
  /** CPU milliseconds beyond reading the PDFs: questions and key the first time, while the JIT warms up, and afterwards; an answered paper. */
  firstRubric: number
  rubric: number
  extraction: number
}

/** What it takes to make the rubric of a long exam and to extract a paper's answers, once its PDFs are read. */
export async function measureLongExam(rounds = 9): Promise<LongExamCost> {
  const folder = await mkdtemp(join(tmpdir(), 'assay-bench-'))
  const reader = createPaperReader({ processes: 1 })
  const read = async (name: string, bytes: Buffer) => {
    const file = join(folder, name)
    await writeFile(file, bytes)
    return reader.read(file)
  }
  try {
    const blank = await read('blank.pdf', await drawLayoutBlank(longExam))
    const key = await read('key.pdf', await drawLayoutKey(longExam))
    const paper = await read('paper.pdf', await drawLayoutPaper(longExam))
    const firstRubric = cpuOf(() => generateRubric(blank, key))
    const rubric = generateRubric(blank, key)
    const { answers } = extractAnswers(rubric, blank, paper)
    const written = new Map(longExam.questions.map(({ number, answer }) => [number, answer]))
    return {
      pages: blank.pages.length,
      parts: rubric.questions.length,
      found: answers.filter(({ text }, i) => text === written.get(rubric.questions[i]?.number ?? '')).length,
      firstRubric,
      rubric: median(rounds, () => generateRubric(blank, key)),
      extraction: median(rounds, () => extractAnswers(rubric, blank, paper)),
    }
  } finally {
    await reader.close()
    await rm(folder, { recursive: true })
  }
}

/** User and system time of this process, in ms. */
function cpuOf(work: () => unknown): number {
  const before = process.cpuUsage()
  work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}

const median = (rounds: number, work: () => unknown): number =>
  Array.from({ length: rounds }, () => cpuOf(work)).toSorted((a, b) => a - b)[Math.floor(rounds / 2)] ?? 0

if (import.meta.main) console.log(await measureLongExam())
