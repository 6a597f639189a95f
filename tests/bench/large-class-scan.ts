/**
 * `node tests/bench/large-class-scan.ts [PAGES]`: the largest class scan there may be, 2,000 pages, looked at by a server in a process of its
 * own: memory of its whole process tree, and pages a second beside poppler's pdftoppm drawing the same pages as large, and zxing with its
 * default options looking for codes in those pictures.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { createAssignment } from '@assay/shared/assignments.ts'
import { getClassScan, uploadClassScan } from '@assay/shared/class-scans.ts'
import { MAX_CLASS_SCAN_PAGES } from '@assay/shared/rules/limits.ts'
import { PDFDocument } from 'pdf-lib'
import { readBarcodes } from 'zxing-wasm/reader'
import { readLargeCodes } from '../../server/src/papers/codes/read-qr-codes.ts'
import { defaultPaperLimits } from '../../server/src/papers/paper-limits.ts'
import { withPdfium } from '../../server/src/papers/pdf/pdfium-document.ts'
import { createTestApi } from '../../server/src/testing/api.ts'
import { startServerProcess } from '../../server/src/testing/server-process.ts'
import { registerPerson } from '../journeys/support/people.ts'
import { nameStudents, scanClass } from '../papers/scanned-class.ts'
import { createPaperFolder } from '../papers/temporary-papers.ts'
import { drawWritableExams } from '../papers/writable-exams.ts'
import { watchMemory } from './process-tree.ts'

interface LargeScanCost {
  pages: number
  megabytes: number
  /** Of the server's process tree: idle, and at most while the scan was received, looked at and split. */
  idleMegabytes: number
  peakMegabytes: number
  /** Seconds to look at all pages, and then to read the names on first pages and to propose papers. */
  pagesSeconds: number
  namesSeconds: number
  papers: number
  /** Seconds in which pdftoppm draws the same pages in grey at the same size; null where there is none. */
  popplerSeconds: number | null
  /** Seconds in which zxing alone, with its default options, looks for codes in the same pictures, once they are drawn. */
  zxingSeconds: number
}

export async function measureLargeClassScan(pages = MAX_CLASS_SCAN_PAGES): Promise<LargeScanCost> {
  const dataDir = await mkdtemp(join(tmpdir(), 'assay-bench-'))
  const folder = await createPaperFolder()
  const [exam] = await drawWritableExams()
  if (!exam) throw new Error('there are exams')
  const class40 = await (
    await scanClass(exam, { students: nameStudents(40, 2).sort((a, b) => a.name.localeCompare(b.name)), seed: 2 })
  ).scan()
  const files = await repeat(class40, pages)
  // As `npm start` does.
  const server = await startServerProcess(dataDir, { MALLOC_ARENA_MAX: '2' })
  try {
    const api = createTestApi({ running: { url: server.url } })
    const teacher = api.as(await registerPerson(api, 'instructor', 'bench'))
    const blank = [{ name: 'blank.pdf', bytes: exam.pdf }]
    const created = await teacher.send(createAssignment, {
      body: { name: exam.name },
      files: { blank_pdf: blank, answer_key_pdf: blank },
    })
    const params = { assignmentId: created.body.id }
    const idleMegabytes = watchMemory(100, server.child.pid)()
    const peak = watchMemory(100, server.child.pid)
    const uploaded = await teacher.send(uploadClassScan, { params, files: { files } })
    if (uploaded.status !== 202) throw new Error(uploaded.text)
    const began = performance.now()
    let looked = 0
    for (;;) {
      await sleep(1000)
      const { body } = await teacher.send(getClassScan, { params: { ...params, scanId: uploaded.body.id } })
      if (body.state === 'failed') throw new Error(body.failure ?? 'the scan failed')
      if (looked === 0 && (body.progress.step === 'names' || body.state === 'ready')) looked = performance.now()
      if (body.state !== 'ready') continue
      return {
        pages,
        megabytes: files.reduce((sum, { bytes }) => sum + bytes.length, 0) / 2 ** 20,
        idleMegabytes,
        peakMegabytes: peak(),
        pagesSeconds: (looked - began) / 1000,
        namesSeconds: (performance.now() - looked) / 1000,
        papers: body.papers.length,
        popplerSeconds: await drawWithPoppler(await folder.put(class40), pages / uniquePages),
        zxingSeconds: await lookWithZxing(class40, pages / uniquePages),
      }
    }
  } finally {
    await server.stop()
    await folder.remove()
    await rm(dataDir, { recursive: true, force: true })
  }
}

/** Pages of the class that is scanned again and again. */
const uniquePages = 160

async function repeat(pdf: Buffer, pages: number): Promise<{ name: string; bytes: Buffer }[]> {
  const whole = Math.floor(pages / uniquePages)
  const files = Array.from({ length: whole }, (_, i) => ({ name: `copier-${i + 1}.pdf`, bytes: pdf }))
  const rest = pages - whole * uniquePages
  if (rest === 0) return files
  const source = await PDFDocument.load(pdf)
  const part = await PDFDocument.create()
  for (const page of await part.copyPages(source, [...Array(rest).keys()])) part.addPage(page)
  return [...files, { name: 'copier-rest.pdf', bytes: Buffer.from(await part.save()) }]
}

async function drawWithPoppler(file: string, times: number): Promise<number | null> {
  const began = performance.now()
  const child = spawn('pdftoppm', ['-r', '72', '-gray', file], { stdio: ['ignore', 'pipe', 'ignore'] })
  child.stdout.resume()
  try {
    await once(child, 'close')
  } catch {
    return null
  }
  return (times * (performance.now() - began)) / 1000
}

async function lookWithZxing(pdf: Buffer, times: number): Promise<number> {
  return withPdfium(pdf, async (document) => {
    let spent = 0
    for (let number = 1; number <= document.pages; number += 1) {
      const drawn = await document.render(number, { scale: 1 }, defaultPaperLimits, 'Gray')
      // Has its WebAssembly loaded from here.
      if (number === 1) await readLargeCodes(drawn)
      const picture = Buffer.concat([Buffer.from(`P5 ${drawn.width} ${drawn.height} 255\n`), drawn.data])
      const began = performance.now()
      await readBarcodes(picture)
      spent += performance.now() - began
    }
    return (times * spent) / 1000
  })
}

export function formatLargeClassScan(cost: LargeScanCost): string[] {
  const { pages, megabytes, papers, idleMegabytes, peakMegabytes, pagesSeconds, namesSeconds } = cost
  const { popplerSeconds, zxingSeconds } = cost
  const perSecond = (seconds: number) => `${(pages / seconds).toFixed(1)} pages a second`
  return [
    `${pages} pages, ${megabytes.toFixed(0)} MB, ${papers} papers`,
    `memory of the server's process tree: ${idleMegabytes.toFixed(0)} MB before, at most ${peakMegabytes.toFixed(0)} MB (goal: under 1,024 MB)`,
    `looked at: ${perSecond(pagesSeconds)}; names read and papers proposed in ${namesSeconds.toFixed(0)} s more`,
    popplerSeconds === null ? 'pdftoppm is not installed' : `pdftoppm draws them at ${perSecond(popplerSeconds)}`,
    `zxing alone looks for codes in them at ${perSecond(zxingSeconds)}`,
  ]
}

if (import.meta.main) {
  const pages = Number(process.argv[2] ?? MAX_CLASS_SCAN_PAGES)
  for (const line of formatLargeClassScan(await measureLargeClassScan(pages))) console.log(line)
  process.exit()
}
