/**
 * `node tests/bench/class-scans.ts [SEED…]`: scans of classes of 40 with 4 pages each, uploaded and split through the product over HTTP, with
 * and without printed codes. Seed 1 is the one the splitter was tuned on.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { createAssignment } from '@assay/shared/assignments.ts'
import { type ClassScan, getClassScan, uploadClassScan } from '@assay/shared/class-scans.ts'
import { createPrint, getPrintedCopies } from '@assay/shared/printing.ts'
import { type Api, createTestApi } from '../../server/src/testing/api.ts'
import { buildCourse, buildPerson, enrol } from '../../server/src/testing/build-course.ts'
import { startTestServer } from '../../server/src/testing/server.ts'
import { nameStudents, type ScannedClass, type ScannedSheet, scanClass } from '../papers/scanned-class.ts'
import { drawWritableExams, type WritableExam } from '../papers/writable-exams.ts'

const STUDENTS = 40
/** None of them was used to tune the splitter. */
const SEEDS = [2, 3]

interface ClassScanCost {
  exam: string
  seed: number
  coded: boolean
  pages: number
  /** In the paper they belong to, upright and in order, and nobody is asked about them. */
  right: number
  /** What a teacher is asked about, or that was set apart. */
  asked: number
  /** Of those asked about, the pages that anybody would have to be asked about: of another exam, twice, without a code. */
  askedRightly: number
  /** Pages in another's paper or out of order, of which nobody is asked: as “page 17: …”. */
  wrong: string[]
  /** Papers with their own student, and with another's of which nobody is asked. */
  students: { right: number; wrong: number; papers: number }
  /** From the upload to the proposal. */
  seconds: number
}

export async function measureClassScan(
  api: Api,
  exam: WritableExam,
  { seed, coded }: { seed: number; coded: boolean },
): Promise<ClassScanCost> {
  const { instructor, courseId } = await buildCourse(api, { students: 0 })
  // In the order in which copies are printed.
  const students = nameStudents(STUDENTS, seed).sort((a, b) => a.name.localeCompare(b.name))
  const ids: number[] = []
  for (const { name, number } of students) {
    const person = await buildPerson('student', { full_name: name, student_number: number })
    await enrol(courseId, person)
    ids.push(person.id)
  }
  const teacher = api.as(instructor)
  const blank = [{ name: 'blank.pdf', bytes: exam.pdf }]
  const created = await teacher.send(createAssignment, {
    body: { name: exam.name, course_id: courseId },
    files: { blank_pdf: blank, answer_key_pdf: blank },
  })
  const params = { assignmentId: created.body.id }
  const print = async () => {
    const body = { students: true, spares: 0, names: false, double_sided: false }
    const made = await teacher.send(createPrint, { params, body })
    return (await teacher.send(getPrintedCopies, { params: { ...params, printId: made.body.id } })).bytes
  }
  const scanned = await scanClass(exam, { students, seed, ...(coded ? { printed: await print() } : {}) })
  const bytes = await scanned.scan()
  const began = performance.now()
  const uploaded = await teacher.send(uploadClassScan, {
    params,
    files: { files: [{ name: 'copier.pdf', bytes }] },
  })
  const scanId = uploaded.body.id
  let scan: ClassScan
  do {
    await sleep(500)
    scan = (await teacher.send(getClassScan, { params: { ...params, scanId } })).body
    if (scan.state === 'failed') throw new Error(scan.failure ?? 'the scan failed')
  } while (scan.state !== 'ready')
  const seconds = (performance.now() - began) / 1000
  return { exam: exam.name, seed, coded, seconds, ...compare(scan, scanned, coded ? ids : null, ids) }
}

type Comparison = Omit<ClassScanCost, 'exam' | 'seed' | 'coded' | 'seconds'>

/** @param owners where codes tell whose a paper is; else a paper is the student's most of whose pages are in it */
function compare(scan: ClassScan, { sheets }: ScannedClass, owners: number[] | null, ids: number[]): Comparison {
  const result: Comparison = {
    pages: sheets.length,
    right: 0,
    asked: 0,
    askedRightly: 0,
    wrong: [],
    students: { right: 0, wrong: 0, papers: scan.papers.length },
  }
  const sheetOf = (page: number): ScannedSheet => {
    const sheet = sheets[page - 1]
    if (!sheet) throw new Error(`the scan has no page ${page}`)
    return sheet
  }
  const ask = (sheet: ScannedSheet) => {
    result.asked += 1
    if (sheet.student === null || sheet.twice || sheet.spoilt) result.askedRightly += 1
  }
  const mostOf = (paper: ClassScan['papers'][number]) => {
    const counts = Map.groupBy(paper.pages, ({ page }) => sheetOf(page).student)
    const [most] = [...counts].sort((a, b) => b[1].length - a[1].length)
    return { owner: most?.[0] ?? null, count: most?.[1].length ?? 0 }
  }
  const largest = new Map<number, { key: string; count: number }>()
  for (const paper of scan.papers) {
    const { owner, count } = mostOf(paper)
    if (owner !== null && count > (largest.get(owner)?.count ?? 0)) largest.set(owner, { key: paper.key, count })
  }
  for (const paper of scan.papers) {
    const { owner } = mostOf(paper)
    const own = owners
      ? paper.student_id === null
        ? null
        : owners.indexOf(paper.student_id)
      : owner !== null && largest.get(owner)?.key === paper.key
        ? owner
        : null
    if (paper.student_id !== null && paper.student_id === ids[owner ?? -1]) result.students.right += 1
    else if (paper.student_id !== null && paper.student_doubt === null) result.students.wrong += 1
    let last = 0
    for (const { page, turn, doubts } of paper.pages) {
      const sheet = sheetOf(page)
      const inOrder = (sheet.page ?? 0) >= last
      last = sheet.page ?? last
      const isRight =
        sheet.student !== null && sheet.student === own && inOrder && turn === (sheet.upsideDown ? 180 : 0)
      if (doubts.length > 0) ask(sheet)
      else if (isRight && !sheet.twice) result.right += 1
      else result.wrong.push(`page ${page}: ${JSON.stringify({ ...sheet, inOrder, turn, own })}`)
    }
  }
  for (const { page } of scan.dropped) ask(sheetOf(page))
  return result
}

export function formatClassScan(cost: ClassScanCost): string[] {
  const { exam, seed, coded, pages, right, asked, askedRightly, wrong, students, seconds } = cost
  const must = pages - askedRightly
  return [
    `${exam}, ${coded ? 'with codes' : 'without codes'}, seed ${seed}: ${pages} pages, ${right} right unasked (${((100 * right) / must).toFixed(1)} % of ${must} that need no question), ${asked} asked about, ${askedRightly} of them rightly, ${wrong.length} wrong and unasked`,
    `  students: ${students.right} of ${students.papers} papers right, ${students.wrong} wrong and unasked; ${(pages / seconds).toFixed(1)} pages a second`,
    ...wrong.map((one) => `  wrong: ${one}`),
  ]
}

/** Every exam with and without codes, for each seed. */
export async function measureClassScans(
  print: (line: string) => void,
  seeds: readonly number[] = SEEDS,
  only: { exams?: readonly number[]; coded?: readonly boolean[] } = {},
): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), 'assay-bench-'))
  const running = await startTestServer(dataDir, { LOG_LEVEL: 'fatal', NODE_ENV: 'development' })
  try {
    const api = createTestApi({ running })
    const exams = await drawWritableExams()
    for (const seed of seeds)
      for (const [i, exam] of exams.entries())
        for (const coded of only.coded ?? [true, false]) {
          if (only.exams && !only.exams.includes(i)) continue
          for (const line of formatClassScan(await measureClassScan(api, exam, { seed, coded }))) print(line)
        }
  } finally {
    await running.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
}

if (import.meta.main) {
  const seeds = process.argv.slice(2).map(Number)
  await measureClassScans(console.log, seeds.length > 0 ? seeds : SEEDS)
  process.exit()
}
