import { randomUUID } from 'node:crypto'
import type { CriterionGrade } from '@assay/shared/grades.ts'
import { nextIds } from '../lib/database/database.ts'
import { AssignmentModel } from '../records/assignments/assignment.model.ts'
import { GradeDetailsModel } from '../records/grading/grade.model.ts'
import { type SubmissionDoc, SubmissionModel } from '../records/submissions/submission.model.ts'

interface ManyOptions {
  /** Assigned round-robin; without any, the papers have no owner. */
  studentIds?: { id: number; username: string }[]
  /** Share of the papers with a grade, 0..1; every tenth grade is flagged. */
  graded?: number
  criteria?: (index: number) => CriterionGrade[]
}

const BATCH = 1000

/** Without files, so they cannot be read or graded again. Oldest first. */
export async function buildManySubmissions(
  assignmentId: number,
  count: number,
  { studentIds = [], graded = 0.9, criteria = () => [] }: ManyOptions = {},
): Promise<number[]> {
  const assignment = await AssignmentModel.findById(assignmentId, { course_id: 1, created_by: 1 }).lean()
  if (!assignment) throw new Error(`there is no assignment ${assignmentId}`)
  const firstId = await nextIds('submissions', count)
  const firstGrade = await nextIds('grades', count)
  for (let from = 0; from < count; from += BATCH) {
    const batch = Array.from({ length: Math.min(BATCH, count - from) }, (_, i) => from + i)
    const rows = batch.map((i): SubmissionDoc => {
      const student = studentIds[i % Math.max(1, studentIds.length)]
      const hash = randomUUID().replaceAll('-', '').repeat(2)
      const name = `student-${String(i).padStart(5, '0')}`
      const at = new Date(Date.UTC(2026, 0, 1) + i * 1000)
      return {
        _id: firstId + i,
        assignment_id: assignmentId,
        course_id: assignment.course_id,
        student_id: student?.id ?? null,
        student_identifier: student?.username ?? name,
        file: { hash, name: `${name}.pdf`, size: 40_000, handwritten: false },
        upload_key: `${hash} ${name}`,
        page_count: 3,
        status: (i * 7919) % 1000 < graded * 1000 ? 'graded' : 'uploaded',
        failure: null,
        run_id: null,
        grade: null,
        uploaded_by: assignment.created_by,
        created_at: at,
        updated_at: at,
      }
    })
    for (const row of rows)
      if (row.status === 'graded') row.grade = gradeOf(row, firstGrade - firstId + row._id, row._id - firstId)
    await SubmissionModel.insertMany(rows, { lean: true, ordered: false })
    await GradeDetailsModel.insertMany(
      rows.flatMap(({ _id, grade }) =>
        grade ? [{ _id: grade.id, submission_id: _id, criteria: criteria(_id - firstId) }] : [],
      ),
      { lean: true, ordered: false },
    )
  }
  return Array.from({ length: count }, (_, i) => firstId + i)
}

/** @param index of the paper among those built with it: its id depends on what has been built before */
function gradeOf({ created_at }: SubmissionDoc, id: number, index: number): NonNullable<SubmissionDoc['grade']> {
  const flagged = index % 10 === 9
  const score = (37 * (index + 1)) % 101
  return {
    id,
    revision: 1,
    overall_score: score,
    final_score: score,
    confidence: flagged ? 0.4 : 0.9,
    summary: 'Most of what was asked is there.',
    needs_review: flagged,
    review_reasons: flagged ? [{ code: 'low_confidence', message: 'Unsure of question 2.' }] : [],
    manual_score_override: null,
    manual_feedback: null,
    reviewed_at: null,
    reviewed_by: null,
    released: false,
    grader: { name: 'built', version: '1' },
    rubric_version: 1,
    class_key: 'built',
    run_id: 0,
    times_graded: 1,
    graded_at: created_at,
  }
}
