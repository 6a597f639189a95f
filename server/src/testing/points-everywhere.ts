import { updateAssignment } from '@assay/shared/assignments.ts'
import { getGradeHistory } from '@assay/shared/grade-history.ts'
import { getGradebook } from '@assay/shared/gradebook.ts'
import { exportGrades, type GradeOverride } from '@assay/shared/grades.ts'
import type { ScoreRules } from '@assay/shared/rules/adjust-score.ts'
import { getScoreRules, setScoreRules } from '@assay/shared/score-rules.ts'
import { getStudentAssignment, getStudentDashboard } from '@assay/shared/students.ts'
import { getSubmission, listSubmissions } from '@assay/shared/submissions.ts'
import { parse } from 'csv-parse/sync'
import { expect } from 'vitest'
import { GradeDetailsModel } from '../records/grading/grade.model.ts'
import { UserModel } from '../records/people/user.model.ts'
import { SubmissionModel } from '../records/submissions/submission.model.ts'
import type { RunningServer } from '../start.ts'
import { buildPerson, decideGrade } from './build-course.ts'
import {
  buildLmsClass,
  gradebookOf,
  type LmsClass,
  publishAndDeliver,
  scoreRowsOf,
  waitForScoreDelivery,
} from './lms-class.ts'
import type { Api } from './server.ts'

const NONE: ScoreRules = { adjustment: null, late_penalty: null }
const shift = (points_percent: number): ScoreRules => ({ ...NONE, adjustment: { kind: 'shift', points_percent } })

/** In hundredths of a hundredth: whole numbers, which have no residue. */
export const pointRules: [ScoreRules, exact: (given: number, of: number) => number][] = [
  [NONE, (given) => 1e4 * given],
  [shift(5.25), (given, of) => 1e4 * given + 525 * of],
  [shift(-3.33), (given, of) => 1e4 * given - 333 * of],
  [{ ...NONE, adjustment: { kind: 'scale', factor: 1.1 } }, (given) => 11_000 * given],
  [
    { ...NONE, late_penalty: { percent_per_day: 3.33, max_percent: 50, grace_minutes: 0 } },
    (given, of) => 1e4 * given - 333 * of,
  ],
  [NONE, (given) => 1e4 * given],
]

/** A half goes up. */
export const countedPoints = (exact: number, of: number) =>
  Math.min(of, Math.max(0, Math.floor((exact + 50) / 100) / 100))

export const quartersOf = (points: number) => Array.from({ length: 4 * points + 1 }, (_, i) => i / 4)

export async function expectPointsEverywhere(
  [server, api, lms]: [{ readonly running: RunningServer }, Api, Parameters<typeof buildLmsClass>[2]],
  of: number,
  given: number[],
  nth: number,
): Promise<LmsClass> {
  const one = await buildLmsClass(server, api, lms, { students: given.length, scoreMaximum: of })
  const teacher = api.as(one.teacher)
  const params = { assignmentId: one.assignmentId }
  const ids = one.students.map(({ submissionId }) => submissionId)
  const worth = [of / 2, of / 4, of / 4]
  const criteria = worth.map((max_score, i) => ({
    id: i + 1,
    criterion_id: `c${i}`,
    question_id: 'q',
    criterion_text: '',
    score: 0,
    max_score,
    llm_feedback: '',
    llm_performance_level: null,
    confidence: 1,
    evidence: [],
  }))
  await GradeDetailsModel.updateMany({ submission_id: { $in: ids } }, { $set: { criteria } })
  const due = new Date('2026-03-10T12:00:00Z')
  const late = { handed_in_by: 'student' as const, late: true, created_at: new Date(due.getTime() + 60_000) }
  await SubmissionModel.updateMany({ _id: { $in: ids } }, { $set: { ...late, 'grade.run_id': 1 } })
  await teacher.send(updateAssignment, { params, body: { due_at: due.toISOString(), late_rule: 'mark_late' } })
  const decide = (submissionId: number, decision: Partial<GradeOverride>) =>
    decideGrade(teacher, { ...params, submissionId }, decision)
  const { password_hash } = (await UserModel.findById((await buildPerson('student')).id).lean()) ?? {}
  await UserModel.updateMany(
    { _id: { $in: one.students.map(({ account }) => account._id) } },
    { $set: { password_hash } },
  )

  async function check(wanted: number[]): Promise<void> {
    // What the fake LMS scales to its column has some residue; what is sent has none.
    await expect
      .poll(() => gradebookOf(one), { timeout: 600_000 })
      .toEqual(wanted.map((points) => expect.closeTo(points, 9)))
    await waitForScoreDelivery(api, one)
    const sent = (await scoreRowsOf(api, one)).map((row) => row?.recorded?.points).slice(0, 500)
    expect(sent).toEqual(wanted.slice(0, 500))
    const csv: Record<string, string>[] = parse((await teacher.send(exportGrades, { params })).text, {
      bom: true,
      columns: true,
    })
    expect(csv.map((row) => Number(row.adjusted_points))).toEqual(wanted)
    const shown = wanted.map((points) => Math.round(Number(((1000 * points) / of).toFixed(6))) / 10)
    expect(csv.map((row) => Number(row.adjusted_score))).toEqual(shown)
    const book = (await teacher.send(getGradebook, { params: { courseId: one.courseId } })).body
    expect(book.columns[0]?.max_points ?? of).toBe(of)
    for (const { cells, total } of book.rows) {
      const i = ids.indexOf(cells[0]?.submission_id ?? 0)
      expect([cells[0]?.points, total]).toEqual([wanted[i], shown[i]])
    }
    for (let skip = 0; skip < ids.length; skip += 500) {
      const rows = (
        await teacher.send(listSubmissions, {
          params,
          query: { skip, limit: 500, sort: 'submitted', direction: 'asc' },
        })
      ).body
      for (const row of rows) expect((row.adjusted ?? row).points).toEqual({ given: wanted[ids.indexOf(row.id)], of })
    }
    for (const [i, { account, submissionId }] of one.students.entries()) {
      if (i % nth !== 0) continue
      const points = { given: wanted[i], of }
      const review = (await teacher.send(getSubmission, { params: { ...params, submissionId } })).body
      expect(review.adjusted?.points ?? review.grade?.points).toEqual(points)
      const history = (await teacher.send(getGradeHistory, { params: { ...params, submissionId } })).body
      expect(history.adjusted?.points ?? history.points).toEqual(points)
      const student = api.as({ id: account._id, username: account.username, password: 'Correct-Horse-7-Battery' })
      expect((await student.send(getStudentAssignment, { params })).body).toMatchObject({
        points,
        overall_score: shown[i],
      })
      expect((await student.send(getStudentDashboard)).body).toMatchObject({
        recent_grades: [{ points, overall_score: shown[i] }],
        grade_summary: { total_points_earned: wanted[i], total_points_possible: of, average_score: shown[i] },
      })
    }
  }

  for (const [i, id] of ids.entries()) {
    let left = given[i] ?? 0
    const parts = worth.map((most) => {
      const score = Math.min(most, left)
      left -= score
      return score
    })
    await decide(id, { overall_score: null, criteria: parts.map((score, c) => ({ criterion_id: `c${c}`, score })) })
  }
  await publishAndDeliver(api, one)
  for (const [version, [rules, exact]] of pointRules.entries()) {
    if (version > 0) {
      expect((await teacher.send(setScoreRules, { params, body: { ...rules, version: version - 1 } })).status).toBe(200)
      await expect
        .poll(async () => (await teacher.send(getScoreRules, { params })).body.releasing, { timeout: 60_000 })
        .toBeNull()
    }
    await check(given.map((points) => countedPoints(exact(points, of), of)))
  }
  // Close to that of the criteria, whose points do not make it.
  const percents = given.map((points) => Math.floor((999 * points) / of) / 10)
  for (const [i, id] of ids.entries()) await decide(id, { overall_score: percents[i] ?? 0 })
  await check(percents.map((percent) => countedPoints(Math.round(percent * 10) * 10 * of, of)))
  return one
}
