import { spawn } from 'node:child_process'
import { createAssignment } from '@assay/shared/assignments.ts'
import { getGradedPaper } from '@assay/shared/graded-papers.ts'
import { createPrint, getPrintedCopies } from '@assay/shared/printing.ts'
import { getSubmissionPage } from '@assay/shared/submissions.ts'
import { SubmissionModel } from '../../server/src/records/submissions/submission.model.ts'
import type { RunningServer } from '../../server/src/start.ts'
import { buildPerson, gradeAssignment } from '../../server/src/testing/build-course.ts'
import type { Api, Person } from '../../server/src/testing/server.ts'
import { biologyQuiz } from '../papers/demo-biology.ts'
import { drawBlank, drawKey, drawStudentPaper } from '../papers/draw-papers.ts'
import type { BenchReport } from './bench-report.ts'
import { median } from './statistics.ts'

const answers = biologyQuiz.papers.find(({ style }) => style === 'typed')?.answers ?? []

async function buildClass(api: Api, teacher: Person, papers: number, scanned: number): Promise<number> {
  const files = []
  for (let i = 0; i < papers; i++) {
    const student = { username: `s${i}`, full_name: `Student ${i}`, email: '', student_number: String(1000 + i) }
    const style = i < scanned ? 'scanned' : 'typed'
    files.push({ name: `s${i}.pdf`, bytes: await drawStudentPaper(biologyQuiz, student, answers, style, { seed: i }) })
  }
  const created = await api
    .as(teacher)
    .send(createAssignment, {
      body: { name: biologyQuiz.title },
      files: {
        blank_pdf: [{ name: 'blank.pdf', bytes: await drawBlank(biologyQuiz) }],
        answer_key_pdf: [{ name: 'key.pdf', bytes: await drawKey(biologyQuiz) }],
        student_submission_pdfs: files,
      },
    })
  return created.body.id
}

const papersOf = async (assignmentId: number) =>
  (await SubmissionModel.find({ assignment_id: assignmentId }, { _id: 1 }).lean()).map(({ _id }) => _id)

/** A class of 30, half of it scans, while two busy loops take half of the machine. */
export async function busy({ heading, result }: BenchReport, _: RunningServer, api: Api, teacher: Person) {
  const assignmentId = await buildClass(api, teacher, 30, 15)
  const loops = [1, 2].map(() => spawn(process.execPath, ['-e', 'for (;;);'], { stdio: 'ignore' }))
  try {
    const began = performance.now()
    const run = await gradeAssignment(api, teacher, assignmentId)
    heading('Grading a class of 30, half of it scans, beside two busy loops')
    result('papers that failed', String(run.failed), 'goal: at most 0')
    result('papers graded', String(run.graded), 'goal: at least 30')
    result('until all were graded', `${((performance.now() - began) / 1000).toFixed(0)} s`)
  } finally {
    for (const loop of loops) loop.kill()
  }
}

/** Another teacher's pages while one person asks for 60 graded papers and three prints of 500 copies. */
export async function fairness({ heading, result }: BenchReport, _: RunningServer, api: Api, teacher: Person) {
  const other = await buildPerson('instructor')
  const [many, others] = [await buildClass(api, teacher, 60, 0), await buildClass(api, other, 20, 0)]
  await gradeAssignment(api, teacher, many)
  const pages = await papersOf(others)
  const pageMs = async (submissionId: number) => {
    const began = performance.now()
    await api.as(other).send(getSubmissionPage, { params: { assignmentId: others, submissionId, page: 1 } })
    return performance.now() - began
  }
  const timed = async (ids: number[]) => {
    const times: number[] = []
    for (const id of ids) times.push(await pageMs(id))
    return times
  }
  await timed(pages.slice(0, 2))
  const idle = median(await timed(pages.slice(2, 8)))

  const asTeacher = api.as(teacher)
  const load: Promise<unknown>[] = (await papersOf(many)).map((submissionId) =>
    asTeacher.send(getGradedPaper, { params: { assignmentId: many, submissionId } }),
  )
  for (let i = 0; i < 3; i++) {
    const body = { kind: 'copies' as const, students: false, spares: 500 - i, names: false, double_sided: false }
    const print = await asTeacher.send(createPrint, { params: { assignmentId: many }, body })
    load.push(asTeacher.send(getPrintedCopies, { params: { assignmentId: many, printId: print.body.id } }))
  }
  let under = true
  const done = Promise.all(load).then(() => {
    under = false
  })
  const loaded: number[] = []
  for (const id of pages.slice(8)) if (under) loaded.push(await pageMs(id))
  await done
  heading('One page’s picture while another person asks for 60 graded papers and three prints of 500 copies')
  const ratio = (ms: number) => `${(ms / idle).toFixed(1)}×, goal: at most 3×`
  result('first sight of a page, idle', `${idle.toFixed(0)} ms`)
  result(`median of ${loaded.length} meanwhile`, `${median(loaded).toFixed(0)} ms`, ratio(median(loaded)))
  result('longest', `${Math.max(...loaded).toFixed(0)} ms`, ratio(Math.max(...loaded)))
}
