import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { extractAnswers } from '../../server/src/grader/extraction/extract-answers.ts'
import { generateRubric } from '../../server/src/grader/rubric/generate-rubric.ts'
import type { PaperReader } from '../../server/src/papers/paper-reader.ts'
import { drawLayoutBlank, drawLayoutKey, drawLayoutPaper } from '../papers/layouts/exam-layout.ts'
import { longExam } from '../papers/long-exam.ts'
import type { BenchReport } from './bench-report.ts'
import { median } from './statistics.ts'

const ROUNDS = 9

/** CPU beyond reading the PDFs, while the JIT warms up. */
export async function longExamReading({ heading, result }: BenchReport, reader: PaperReader, folder: string) {
  const read = async (name: string, bytes: Buffer) => {
    const file = join(folder, name)
    await writeFile(file, bytes)
    return reader.read(file)
  }
  const blank = await read('blank.pdf', await drawLayoutBlank(longExam))
  const key = await read('key.pdf', await drawLayoutKey(longExam))
  const paper = await read('paper.pdf', await drawLayoutPaper(longExam))
  const first = cpuOf(() => generateRubric(blank, key))
  const rubric = generateRubric(blank, key)
  const { answers } = extractAnswers(rubric, blank, paper)
  const written = new Map(longExam.questions.map(({ number, answer }) => [number, answer]))
  const found = answers.filter(({ text }, i) => text === written.get(rubric.questions[i]?.number ?? '')).length
  const medianCpu = (work: () => unknown) => median(Array.from({ length: ROUNDS }, () => cpuOf(work)))
  const rubricMs = medianCpu(() => generateRubric(blank, key))
  const answersMs = medianCpu(() => extractAnswers(rubric, blank, paper))
  const parts = rubric.questions.length
  heading(`A read exam of ${blank.pages.length} pages with ${parts} parts, CPU beyond reading the PDFs`)
  result('rubric, the first time', `${first.toFixed(0)} ms`)
  result('rubric', `${rubricMs.toFixed(0)} ms`)
  result(`answers of a paper, ${found} as written`, `${answersMs.toFixed(0)} ms`)
  result('rubric and answers', `${(rubricMs + answersMs).toFixed(0)} ms`, 'goal: under 150 ms')
}

function cpuOf(work: () => unknown): number {
  const before = process.cpuUsage()
  work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}
