import type { AuditEntry } from '@assay/shared/admin.ts'
import type { SuggestionEntry } from '@assay/shared/grade-history.ts'
import { describe, expect, it } from 'vitest'
import { buildGradeHistory } from '../../../testing/build-grade-history.ts'
import { describeAuditEvent } from './audit-event-messages.ts'

const [suggestion] = buildGradeHistory().suggestions
const [auditEvent] = buildGradeHistory().events
if (!suggestion || !auditEvent) throw new Error('one of each')

const criterion = (criterion_id: string, question: string, text: string, score: number) => ({
  criterion_id,
  question_id: `q${question}`,
  question_number: question,
  criterion_text: text,
  score,
  max_score: 5,
  confidence: 0.9,
})
const suggestions: SuggestionEntry[] = [
  {
    ...suggestion,
    grade_id: 9,
    overall_score: 40,
    criteria: [
      criterion('q1', '1', 'Why does ice float on water?', 2),
      criterion('q2a', '2', 'Names the force', 3),
      criterion('q2b', '2', 'Gives its unit', 1),
    ],
  },
]

function tell(entry: Partial<AuditEntry>) {
  const actor = { id: 3, username: 'mlee', full_name: 'Ms Lee', role: 'instructor' }
  const { headline, details, quote } = describeAuditEvent({ ...auditEvent, actor, ...entry } as AuditEntry, {
    suggestions,
  })
  return [headline, ...details, ...(quote ? [quote] : [])]
}

const grade = { overall_score: 40, manual_score_override: null, manual_feedback: null, needs_review: false }
const score = (manual_score_override: number) => ({ manual_score_override })
const words = { criterion_feedback: { q1: 'See 2.' } }
const flag = { needs_review: true }
const pointsAndScore = (q1: number, percent: number) => ({ points: { q1 }, ...score(percent) })

const decisions: Record<string, [before: object, after: object, ...sentences: string[]]> = {
  'points by their question, from what counted before': [
    {},
    pointsAndScore(3, 46.7),
    'Ms Lee changed the points of question 1 from the AI’s 2 to 3',
    'The grade went from 40.0\u00a0% to 46.7\u00a0%.',
  ],
  'points of two criteria': [
    pointsAndScore(2, 40),
    { points: { q1: 3, q2b: 5 }, ...score(73.3) },
    'Ms Lee changed the points of question 1 from 2 to 3',
    'Changed the points of question 2 (“Gives its unit”) from the AI’s 1 to 5.',
    'The grade went from 40.0\u00a0% to 73.3\u00a0%.',
  ],
  'points reset to the AI’s': [
    pointsAndScore(3, 46.7),
    {},
    'Ms Lee removed their points for question 1: the AI’s 2 count again',
    'The grade went from 46.7\u00a0% to 40.0\u00a0%.',
  ],
  'confirmed points': [{}, pointsAndScore(2, 40), 'Ms Lee kept the AI’s 2 for question 1'],
  'a score': [{}, score(61), 'Ms Lee set the grade to 61.0\u00a0% instead of the AI’s 40.0\u00a0%'],
  'another score': [score(61), score(70), 'Ms Lee changed the grade from 61.0\u00a0% to 70.0\u00a0%'],
  'a score taken back': [score(61), {}, 'Ms Lee took back their score: the AI’s 40.0\u00a0% counts again'],
  'a score beside points': [
    {},
    pointsAndScore(3, 66),
    'Ms Lee changed the points of question 1 from the AI’s 2 to 3',
    'Set the grade to 66.0\u00a0% instead of the AI’s 40.0\u00a0%.',
    'The grade went from 40.0\u00a0% to 66.0\u00a0%.',
  ],
  'feedback with its text': [{}, { manual_feedback: 'See me.' }, 'Ms Lee wrote feedback to the student', 'See me.'],
  'feedback for a question': [{}, words, 'Ms Lee wrote feedback for question 1: “See 2.”'],
  'removed feedback': [words, {}, 'Ms Lee removed their feedback for question 1; the AI’s is shown again'],
  'a flag': [{}, flag, 'Ms Lee flagged the paper for review'],
  'an approval': [{}, {}, 'Ms Lee approved the grade of 40.0\u00a0%'],
  'an approval of a flag': [flag, {}, 'Ms Lee reviewed the flagged paper and approved the grade of 40.0\u00a0%'],
}

describe('a teacher’s decision, in sentences', () => {
  it.each(Object.entries(decisions))('describes %s', (_, [before, after, ...sentences]) => {
    expect(tell({ before: { ...grade, ...before }, after: { ...grade, ...after } })).toEqual(sentences)
  })

  it('names a question the rubric has no more by its words', () => {
    const [one] = suggestions[0]?.criteria ?? []
    if (!one) throw new Error('a criterion')
    const entry = { ...auditEvent, before: grade, after: { ...grade, points: { q1: 3 } } }
    const gone = [{ ...suggestion, criteria: [{ ...one, question_number: null }] }]
    expect(describeAuditEvent(entry, { suggestions: gone }).headline).toContain(
      'the points of “Why does ice float on water?” from the AI’s 2 to 3',
    )
  })
})

it('describes approvals of many at once', () => {
  const approved = (before: object | null) => tell({ action: 'grade.approved', before, after: {} })
  expect(approved(null)).toEqual(['Ms Lee approved this grade with all other clear grades'])
  expect(approved(flag)).toEqual(['Ms Lee approved this grade with others they chose', 'It was flagged.'])
})

it('describes corrected readings, regrade requests and whose paper it is', () => {
  const read = (text: string) => ({ question: 'q2', text })
  const corrected = { action: 'transcription.corrected', before: read('S N'), after: read('5 N') }
  expect(tell(corrected)).toEqual(['Ms Lee corrected the transcription of question 2', '“S N” became “5 N”.'])
  expect(tell({ action: 'transcription.taken_back', before: read('5 N'), after: read('S N') })).toEqual([
    'Ms Lee restored the original transcription of question 2',
    'It reads “S N” again.',
  ])
  expect(tell({ action: 'regrade.asked', before: null, after: { reason: 'I wrote 5 N.' } })).toEqual([
    'Ms Lee requested a regrade',
    'I wrote 5 N.',
  ])
  const answered = { action: 'regrade.answered', before: { score: 60 }, after: { score: 60, answer: 'No.' } }
  expect(tell(answered)).toEqual(['Ms Lee answered the regrade request', 'No.'])
  const owner = (student_id: number | null) => ({ student_id })
  const of = (before: unknown, after: unknown) => tell({ action: 'submission.student_set', before, after })
  expect(of(owner(null), owner(4))).toEqual(['Ms Lee matched this paper to a student'])
  expect(of(owner(4), owner(5))).toEqual(['Ms Lee matched this paper to another student'])
  expect(of(owner(4), owner(null))).toEqual(['Ms Lee unmatched this paper from its student'])
  const byMatching = (before: unknown, after: unknown) =>
    tell({
      action: 'submission.student_set',
      actor: { id: 0, username: 'Assay', full_name: null, role: 'system' },
      subjects: [{ kind: 'student', id: 4, name: 'ada' }],
      before,
      after,
    })
  expect(byMatching(owner(null), { ...owner(4), reason: 'number_on_paper' })).toEqual([
    'Assay matched this paper to ada',
    'By the student number on the paper.',
  ])
  expect(byMatching(owner(4), { ...owner(null), reason: 'name_on_paper' })).toEqual([
    'Assay unmatched this paper from ada',
    'The name on the paper is another student’s.',
  ])
})

it('describes what it has no sentence for as logged', () => {
  expect(tell({ action: 'submission.late_forgiven', before: null, after: { late: false } })).toEqual([
    'Submission late forgiven by Ms Lee',
    'late: none → no',
  ])
})
