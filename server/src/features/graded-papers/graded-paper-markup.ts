import type { PenMark } from '@assay/shared/pen-marks.ts'
import { describeAdjusted } from '@assay/shared/rules/adjust-score.ts'
import { criterionFeedback } from '@assay/shared/rules/criterion-feedback.ts'
import { type CriterionLabel, criterionLabels, labelTag } from '@assay/shared/rules/criterion-labels.ts'
import { finalPoints } from '@assay/shared/rules/criterion-points.ts'
import { formatPercent, formatPoints, percentOf, pointsInWords } from '@assay/shared/rules/points.ts'
import type { CoverBlock, MarkupNote, PaperMarkup, Verdict } from '../../papers/markup/paper-markup.ts'
import type { AssignmentDoc } from '../../records/assignments/assignment.model.ts'
import type { ReleaseDoc, ReleasedCriterion } from '../../records/grading/grade.model.ts'
import type { RegradeDoc } from '../../records/grading/regrade.model.ts'
import type { UserDoc } from '../../records/people/user.model.ts'
import type { SubmissionDoc } from '../../records/submissions/submission.model.ts'
import { formatUtc } from '../assignments/assignment-dates.ts'

/** Only what its student sees, or would see if it were released. */
export interface GradedPaperSource {
  assignment: Pick<AssignmentDoc, 'title' | 'rubric'>
  courseName: string | null
  /** Its student, then the others of the group. */
  students: Pick<UserDoc, 'full_name' | 'username' | 'student_number'>[]
  submission: Pick<SubmissionDoc, '_id' | 'student_identifier' | 'created_at' | 'on_time' | 'late' | 'turned_pages'>
  grade: Omit<ReleaseDoc, 'student_id' | 'assignment_id' | 'revision'>
  released: boolean
  regrade: RegradeDoc | null
  pen: PenMark[]
}

export function buildMarkup(source: GradedPaperSource): PaperMarkup {
  const { assignment, submission, grade } = source
  const labels = criterionLabels(assignment.rubric?.questions)
  const criteria = grade.criteria.map((criterion, i) => describeCriterion(criterion, labels, i, grade))
  return {
    title: `${assignment.title} · ${nameOf(source)}`,
    cover: buildCover(source, criteria),
    notes: criteria.flatMap(({ note }) => note ?? []),
    turned: submission.turned_pages ?? [],
    pen: source.pen,
  }
}

const nameOf = ({ students, submission }: GradedPaperSource) =>
  students.map(({ full_name, username }) => full_name ?? username).join(', ') || submission.student_identifier

type DescribedCriterion = Omit<Extract<CoverBlock, { kind: 'entry' }>, 'kind'> & {
  label: CriterionLabel | undefined
  score: number | null
  max_score: number
  note: MarkupNote | null
}

function describeCriterion(
  { id, criterion_id = '', criterion_text, score, max_score, evidence = [], ...words }: ReleasedCriterion,
  labels: ReadonlyMap<string, CriterionLabel>,
  index: number,
  grade: GradedPaperSource['grade'],
): DescribedCriterion {
  const label = labels.get(criterion_id)
  const verdict = verdictOf(score, max_score)
  const points = `${formatPoints(score)} / ${formatPoints(max_score)}`
  const open = verdict === 'open' && (grade.unscored_points ?? 0) > 0
  const feedback = open ? 'Not graded yet.' : criterionFeedback(words).text
  const [place] = evidence
  const key = String(id)
  const note = place && {
    key,
    page: place.page,
    box: place.box,
    verdict,
    points,
    part: label?.letter ?? '',
    // A tick is enough beside a full answer; the cover has the feedback.
    comment: verdict === 'full' ? '' : feedback,
  }
  return {
    key,
    tag: label ? labelTag(label) : labels.size > 0 ? '–' : String(index + 1),
    title: label?.title ?? criterion_text,
    points,
    verdict,
    feedback,
    label,
    score,
    max_score,
    note: note ?? null,
  }
}

function verdictOf(score: number | null, max: number): Verdict {
  if (score === null) return 'open'
  if (score >= max) return 'full'
  return score > 0 ? 'partial' : 'none'
}

function buildCover(source: GradedPaperSource, criteria: DescribedCriterion[]): CoverBlock[] {
  const { assignment, courseName, students, submission, grade, released, regrade } = source
  const isGroup = students.length > 1
  const number = isGroup ? null : students[0]?.student_number
  const who = number ? `${nameOf(source)} (${number})` : nameOf(source)
  const rows = [
    { label: isGroup ? 'Students' : 'Student', value: who },
    { label: 'Handed in', value: handInTime(submission) },
    ...(released ? [{ label: 'Grade released', value: formatUtc(grade.released_at) }] : []),
  ]
  return [
    { kind: 'title', text: assignment.title, above: courseName ?? '' },
    { kind: 'facts', rows },
    ...(released ? [] : [{ kind: 'notice' as const, text: 'Not released yet' }]),
    ...scoreBlocks(grade),
    ...feedbackBlocks(grade),
    ...regradeBlocks(regrade),
    ...criteriaBlocks(criteria),
    { kind: 'small', text: legendFor(criteria) },
  ]
}

const handInTime = ({ created_at, on_time, late }: GradedPaperSource['submission']) =>
  on_time ? 'On time' : `${formatUtc(created_at)}${late ? ', late' : ''}`

function scoreBlocks(grade: GradedPaperSource['grade']): CoverBlock[] {
  const { points, adjusted, unscored_points: open = 0 } = grade
  if (points === null || open > 0) {
    const left = `${formatPoints(open)} ${open === 1 ? 'point' : 'points'}`
    return [{ kind: 'score', score: 'Not graded yet', lines: open > 0 ? [`${left} still to be graded`] : [] }]
  }
  const lines = [pointsInWords(points), ...(adjusted ? describeAdjusted(adjusted) : [])]
  return [{ kind: 'score', score: formatPercent(percentOf(points)), lines }]
}

function pointsOf(criteria: readonly { score: number | null; max_score: number }[]): string | null {
  const points = finalPoints(criteria.map(({ score, max_score }, i) => ({ criterion_id: String(i), score, max_score })))
  return points && pointsInWords(points)
}

function feedbackBlocks({ feedback, feedback_by, reviewed_by_teacher }: GradedPaperSource['grade']): CoverBlock[] {
  const by = feedback_by === 'teacher' ? 'Your instructor’s feedback' : 'Feedback, suggested by AI'
  return [
    ...(feedback.trim() === ''
      ? []
      : ([
          { kind: 'heading', text: by },
          { kind: 'paragraph', text: feedback },
        ] as const)),
    { kind: 'small', text: reviewed_by_teacher ? 'Reviewed by your instructor.' : 'AI-assisted grade.' },
  ]
}

function regradeBlocks(regrade: RegradeDoc | null): CoverBlock[] {
  if (!regrade) return []
  const heading = { kind: 'heading', text: 'Regrade request' } as const
  const asked = { kind: 'paragraph', text: `Asked on ${formatUtc(regrade.asked_at)}: ${regrade.reason}` } as const
  if (regrade.state === 'open') return [heading, asked, { kind: 'paragraph', text: 'Not answered yet.' }]
  const { score_when_asked: before, score_when_answered: after } = regrade
  const moved = before === after ? 'stayed at' : `changed from ${formatPercent(before)} to`
  const change = after === null ? '' : ` The score ${moved} ${formatPercent(after)}.`
  const when = regrade.answered_at ? ` on ${formatUtc(regrade.answered_at)}` : ''
  return [heading, asked, { kind: 'paragraph', text: `Answered${when}: ${regrade.answer ?? ''}${change}` }]
}

function criteriaBlocks(criteria: DescribedCriterion[]): CoverBlock[] {
  if (criteria.length === 0) return []
  const blocks: CoverBlock[] = [{ kind: 'heading', text: 'Points and feedback' }]
  for (const [i, { label, score: _, max_score: __, note: ___, ...entry }] of criteria.entries()) {
    const number = label?.letter === undefined ? undefined : label.number
    if (number !== undefined && criteria[i - 1]?.label?.number !== number) {
      const own = criteria.filter((one) => one.label?.number === number)
      const sum = own.some(({ score }) => score === null) ? null : pointsOf(own)
      const words = [`Question ${number}`, sum].filter((word) => word !== null).join(': ')
      blocks.push({ kind: 'small', text: label?.question ? `${words}. ${label.question}` : words })
    }
    blocks.push({ kind: 'entry', ...entry })
  }
  return blocks
}

const meanings: Record<Verdict, string> = {
  full: '✓ all points',
  partial: '(✓) some of the points',
  none: '✗ no points',
  open: '– not graded yet',
}

function legendFor(criteria: DescribedCriterion[]): string {
  const used = new Set(criteria.map(({ verdict }) => verdict))
  const signs = (['full', 'partial', 'none', 'open'] as const).filter((verdict) => used.has(verdict))
  const words = signs.map((verdict) => meanings[verdict]).join(', ')
  return words === '' ? '' : `${words}. A number in brackets on a page refers to the feedback with this number here.`
}
