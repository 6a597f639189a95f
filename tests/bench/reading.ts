import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { createPaperReader } from '../../server/src/papers/paper-reader.ts'
import { biologyQuiz } from '../papers/demo-biology.ts'
import { drawDemoPaper } from '../papers/demo-course.ts'
import { forcesExam } from '../papers/demo-forces.ts'
import { drawEssay } from '../papers/draw-essay.ts'
import { type BenchReport, inFolder } from './bench-report.ts'
import { longExamReading } from './long-exam.ts'

const ROUNDS = 6

/** CPU time per page against poppler, one process per file. The first round warms up the JIT. */
export const reading = (report: BenchReport) =>
  inFolder('reading', async (folder) => {
    const { heading, result } = report
    const reader = createPaperReader({ processes: 1 })
    try {
      const papers = await drawPapers(folder)
      const first = await readAll(reader, papers)
      const warm = (await reader.cpuUsage()).cpuMicroseconds
      let pages = 0
      let poppler = 0
      for (let round = 0; round < ROUNDS; round += 1) {
        pages += await readAll(reader, papers)
        poppler += await popplerSeconds(papers)
      }
      const used = (await reader.cpuUsage()).cpuMicroseconds
      const [steady, all] = [(used - warm) / 1000 / pages, used / 1000 / (first + pages)]
      heading(`Reading ${pages} pages of ${papers.length} born-digital papers`)
      result('CPU per page', `${steady.toFixed(2)} ms`)
      result('CPU per page, including start-up', `${all.toFixed(2)} ms`)
      if (poppler > 0) {
        const ofPoppler = (poppler * 1000) / pages
        result('pdftotext -bbox-layout', `${ofPoppler.toFixed(2)} ms`)
        result('ratio', `${(steady / ofPoppler).toFixed(2)}×`, 'goal: at most 2.5×')
      }
      await longExamReading(report, reader, folder)
    } finally {
      await reader.close()
    }
  })

async function drawPapers(folder: string): Promise<string[]> {
  const files: string[] = []
  for (const assignment of [biologyQuiz, forcesExam])
    for (const paper of assignment.papers) {
      if (paper.style === 'scanned') continue
      const file = join(folder, `${files.length}.pdf`)
      await writeFile(file, (await drawDemoPaper(assignment, paper)).bytes)
      files.push(file)
    }
  for (const pages of [3, 6, 12]) {
    const file = join(folder, `essay-${pages}.pdf`)
    await writeFile(file, await drawEssay(pages))
    files.push(file)
  }
  return files
}

async function readAll(reader: ReturnType<typeof createPaperReader>, files: readonly string[]): Promise<number> {
  let pages = 0
  for (const file of files) pages += (await reader.read(file)).pages.length
  return pages
}

async function popplerSeconds(files: readonly string[]): Promise<number> {
  const script = 'for file; do pdftotext -bbox-layout "$file" /dev/null || exit 1; done; times'
  const { stdout } = await promisify(execFile)('sh', ['-c', script, 'sh', ...files]).catch(() => ({ stdout: '' }))
  const children = stdout.trim().split('\n').at(-1) ?? ''
  const times = [...children.matchAll(/(\d+)m([\d.]+)s/g)]
  return times.reduce((sum, [, minutes, seconds]) => sum + Number(minutes) * 60 + Number(seconds), 0)
}
