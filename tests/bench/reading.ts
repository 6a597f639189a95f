import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { createPaperReader } from '../../server/src/papers/paper-reader.ts'
import { biologyQuiz } from '../papers/demo-biology.ts'
import { drawDemoPaper } from '../papers/demo-course.ts'
import { physicsQuiz } from '../papers/demo-physics.ts'
import { drawEssay } from '../papers/draw-essay.ts'

interface ReadingCost {
  files: number
  pages: number
  /** CPU milliseconds per page, including start-up and the first round, while the JIT warms up. */
  assay: number
  /** Without start-up and first round. */
  assaySteady: number
  /** `pdftotext -bbox-layout`, one process per file; null where poppler is not installed. */
  poppler: number | null
  /** `assaySteady` / `poppler`. */
  ratio: number | null
}

/**
 * CPU time per page of reading born-digital papers compared with poppler, on the same files: the demo course's typed papers and forms,
 * and essays in two embedded fonts. `files` replaces them.
 */
export async function measureReading({
  rounds = 6,
  files,
}: {
  rounds?: number
  files?: string[]
} = {}): Promise<ReadingCost> {
  const folder = await mkdtemp(join(tmpdir(), 'assay-bench-'))
  const reader = createPaperReader({ processes: 1 })
  try {
    const papers = files ?? (await drawPapers(folder))
    const first = await readAll(reader, papers)
    const warm = (await reader.cpuUsage()).cpuMicroseconds
    let pages = 0
    let poppler = 0
    for (let round = 0; round < rounds; round += 1) {
      pages += await readAll(reader, papers)
      poppler += await popplerSeconds(papers)
    }
    const used = (await reader.cpuUsage()).cpuMicroseconds
    const steady = (used - warm) / 1000 / pages
    const popplerMs = poppler > 0 ? (poppler * 1000) / pages : null
    return {
      files: papers.length,
      pages,
      assay: used / 1000 / (first + pages),
      assaySteady: steady,
      poppler: popplerMs,
      ratio: popplerMs && steady / popplerMs,
    }
  } finally {
    await reader.close()
    await rm(folder, { recursive: true })
  }
}

async function drawPapers(folder: string): Promise<string[]> {
  const files: string[] = []
  for (const assignment of [biologyQuiz, physicsQuiz])
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

/** User and system time of `pdftotext` over all files, by the shell's `times`; 0 when it is not installed. */
async function popplerSeconds(files: readonly string[]): Promise<number> {
  const script = 'for file; do pdftotext -bbox-layout "$file" /dev/null || exit 1; done; times'
  const { stdout } = await promisify(execFile)('sh', ['-c', script, 'sh', ...files]).catch(() => ({
    stdout: '',
  }))
  const children = stdout.trim().split('\n').at(-1) ?? ''
  const times = [...children.matchAll(/(\d+)m([\d.]+)s/g)]
  return times.reduce((sum, [, minutes, seconds]) => sum + Number(minutes) * 60 + Number(seconds), 0)
}

if (import.meta.main)
  console.log(await measureReading({ files: process.argv.slice(2).length ? process.argv.slice(2) : undefined }))
