import { publishAssignment, updateAssignment } from '@assay/shared/assignments.ts'
import { answerRegrade, requestRegrade } from '@assay/shared/regrades.ts'
import { setScoreRules } from '@assay/shared/score-rules.ts'
import { getSimilarity, setSimilarity } from '@assay/shared/similarity.ts'
import { getStudentAssignment, handInPaper } from '@assay/shared/students.ts'
import type { Api, Caller, Person } from '../../server/src/testing/api.ts'
import { buildAssignment, drawPaper, gradeAssignment } from '../../server/src/testing/build-course.ts'

const copied =
  'Frozen ponds wear a crusty jacket because hexagonal rings of bonded particles waste the space that sloshing ones share.'

/** The first two wrote alike; three have 124. */
const answers = [
  [copied, 'B', '124'],
  [`${copied} Honestly.`, 'A', '124'],
  ['Ice is less dense than water because the molecules are held further apart in a lattice.', 'B', '144'],
  ['Because it is cold and hard.', 'A', '124'],
  ['It has air bubbles inside and so it swims on top of lakes in winter.', 'C', '12'],
  ['The volume grows when it freezes, therefore a litre weighs less.', 'B', '144'],
]
const handedInLate = ['Since steam is light, ice must be light as well.', 'B', '144']

const reasons = [
  'In base 12, 12 times 12 is 124, and the question does not say which base it means. We had other bases in the same week.',
  'I think that the second question is right as well: wood does conduct heat, if slowly.',
]

export interface ReleasedGrades {
  assignmentId: number
  /** With an open request, and with one that is answered; both have adjusted scores. */
  requested: number
  answered: number
  /** Whose paper is late. */
  late: ClassStudent
}

export interface ClassStudent {
  full_name: string
  caller: Caller
}

const DAY_MS = 24 * 60 * 60 * 1000

/** Released grades of an assignment with similar answers, regrade requests, a shift of all scores and a late paper. */
export async function seedReleased(
  api: Api,
  teacher: { caller: Caller; person: Person },
  courseId: number,
  students: ClassStudent[],
): Promise<ReleasedGrades> {
  const [first, second] = students
  const late = students.at(answers.length)
  if (!first || !second || !late) throw new Error('a student for each paper')
  const papers = await Promise.all(
    answers.map(async (texts, i) => {
      const full_name = students[i]?.full_name ?? ''
      return { name: `${full_name}.pdf`, bytes: await drawPaper({ full_name }, texts) }
    }),
  )
  const { caller } = teacher
  const own = { ...api, as: () => caller }
  const { assignmentId, submissionIds } = await buildAssignment(own, { instructor: teacher.person, courseId }, papers)
  const params = { assignmentId }
  await gradeAssignment(own, teacher.person, assignmentId)
  const due_at = new Date(Date.now() - 1.5 * DAY_MS).toISOString()
  await caller.send(updateAssignment, { params, body: { due_at, late_rule: 'mark_late' } })
  await caller.send(publishAssignment, { params })
  const bytes = await drawPaper({ full_name: late.full_name }, handedInLate)
  await late.caller.send(handInPaper, { params, body: {}, files: { file: [{ name: 'paper.pdf', bytes }] } })
  await gradeAssignment(own, teacher.person, assignmentId)
  const rules = {
    late_penalty: { percent_per_day: 10, max_percent: 50, grace_minutes: 15 },
    adjustment: { kind: 'shift' as const, points_percent: 3 },
  }
  await caller.send(setScoreRules, { params, body: { ...rules, version: 0 } })
  await caller.send(publishAssignment, { params })

  const ask = async (student: ClassStudent, criterion: number, reason: string) => {
    const { body } = await student.caller.send(getStudentAssignment, { params })
    const criterion_id = body.criterion_grades[criterion]?.id ?? 0
    const asked = await student.caller.send(requestRegrade, { params, body: { reason, criterion_id } })
    if (asked.status >= 300) throw new Error(asked.text)
    return asked.body
  }
  await ask(first, 2, reasons[0] ?? '')
  const request = await ask(second, 1, reasons[1] ?? '')
  await caller.send(answerRegrade, {
    params: { ...params, submissionId: submissionIds[1] ?? 0, regradeId: request.id },
    body: { answer: 'Copper is meant by “best”. It stays.' },
  })
  const third = students[3]
  if (third) await ask(third, 0, 'Hard things float.')

  await caller.send(setSimilarity, { params, body: { enabled: true } })
  while ((await caller.send(getSimilarity, { params })).body.state === 'comparing')
    await new Promise((done) => setTimeout(done, 200))
  return { assignmentId, requested: submissionIds[0] ?? 0, answered: submissionIds[1] ?? 0, late }
}
