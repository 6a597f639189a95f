import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createAssignment } from '@assay/shared/assignments.ts'
import { wordsOf } from '../../server/src/grader/text/terms.ts'
import { SubmissionModel } from '../../server/src/records/submissions/submission.model.ts'
import { AnswersModel } from '../../server/src/records/submissions/transcription.model.ts'
import { buildPerson, gradeAssignment } from '../../server/src/testing/build-course.ts'
import { createTestApi, startTestServer } from '../../server/src/testing/server.ts'
import { drawBlank, drawKey, drawStudentPaper } from '../papers/draw-papers.ts'
import { pearson, rmse } from './agreement.ts'
import { composeClass, type WrittenPaper } from './compose-class.ts'
import type { ScoredSet } from './scored-rows.ts'

interface ClassCost {
  r: number
  /** RMSE of the totals as shares, 0..1. */
  rmse: number
  /** Share of the written words that were extracted into the right answer. */
  wordsRead: number
  pages: number
  seconds: number
}

/** Uploaded and graded offline through the product. */
export async function measureClass(sets: ScoredSet[], style: 'typed' | 'scanned'): Promise<ClassCost> {
  const { assignment, papers } = composeClass(sets)
  const dataDir = await mkdtemp(join(tmpdir(), 'assay-bench-'))
  const running = await startTestServer(dataDir, { LOG_LEVEL: 'fatal', NODE_ENV: 'development' })
  try {
    const api = createTestApi({ running })
    const instructor = await buildPerson('instructor')
    const files = []
    for (const [i, { student, answers }] of papers.entries()) {
      const bytes = await drawStudentPaper(assignment, student, answers, style, { seed: 100 + i })
      files.push({ name: `${student.username}.pdf`, bytes })
    }
    const created = await api
      .as(instructor)
      .send(createAssignment, {
        body: { name: assignment.title },
        files: {
          blank_pdf: [{ name: 'blank.pdf', bytes: await drawBlank(assignment) }],
          answer_key_pdf: [{ name: 'key.pdf', bytes: await drawKey(assignment) }],
          student_submission_pdfs: files,
        },
      })
    const began = performance.now()
    const run = await gradeAssignment(api, instructor, created.body.id)
    const seconds = (performance.now() - began) / 1000
    if (run.graded !== papers.length) throw new Error(`${run.graded} of ${papers.length} graded`)
    return { ...(await compare(created.body.id, papers)), seconds }
  } finally {
    await running.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
}

async function compare(assignmentId: number, papers: WrittenPaper[]): Promise<Omit<ClassCost, 'seconds'>> {
  const submissions = await SubmissionModel.find({ assignment_id: assignmentId }).lean()
  const extracted = await AnswersModel.find({ assignment_id: assignmentId }).lean()
  let written = 0
  let read = 0
  const pairs = papers.map((paper) => {
    const submission = submissions.find(({ file }) => file.name === `${paper.student.username}.pdf`)
    const answers = extracted.find(({ _id }) => _id === submission?._id)?.extracted.answers ?? []
    for (const [i, text] of paper.answers.entries()) {
      const has = new Set(wordsOf(answers[i]?.text ?? ''))
      const words = wordsOf(text)
      written += words.length
      read += words.filter((word) => has.has(word)).length
    }
    return { people: paper.share, ours: (submission?.grade?.overall_score ?? 0) / 100 }
  })
  const [people, ours] = [pairs.map((pair) => pair.people), pairs.map((pair) => pair.ours)]
  return {
    r: pearson(people, ours),
    rmse: rmse(people, ours),
    wordsRead: read / Math.max(1, written),
    pages: submissions.reduce((sum, { page_count }) => sum + (page_count ?? 0), 0),
  }
}
