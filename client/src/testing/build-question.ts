import type { QuestionAnswer, QuestionProgress, QuestionToGrade } from '@assay/shared/questions.ts'
import type { Unbranded } from '@assay/shared/users.ts'
import { branded } from './branded.ts'

/** Question 3 of a quiz: of eight answers two are decided. */
export function buildQuestionProgress(part: Partial<QuestionProgress> = {}): QuestionProgress {
  return {
    question_id: 'q3',
    number: '3',
    prompt: 'How much is 12 times 12?',
    kind: 'number',
    points: 5,
    answers: 8,
    decided: 2,
    groups: 4,
    undecided_groups: 3,
    flagged: 0,
    by_hand: 0,
    mean: 3.25,
    minutes_left: 2,
    graders: [],
    ...part,
  }
}

export function buildQuestionAnswer(
  submission_id: number,
  part: Partial<Unbranded<QuestionAnswer>> = {},
): QuestionAnswer {
  return branded<QuestionAnswer>({
    submission_id,
    student: `Student ${submission_id}`,
    state: 'read',
    excerpt: '144',
    suggested: { q3: 5 },
    confidence: 0.9,
    flagged: false,
    decided: null,
    decided_by: null,
    ...part,
  })
}

/** Groups: 11 to 13 wrote 144, 14 and 15 wrote 124, 16 and 17 each something else, 18 nothing. */
export function buildQuestionToGrade(part: Partial<QuestionToGrade> = {}): QuestionToGrade {
  const answer = buildQuestionAnswer
  return {
    question: {
      id: 'q3',
      number: '3',
      prompt: 'How much is 12 times 12?',
      kind: 'number',
      points: 5,
      criteria: [{ id: 'q3', text: 'The product', points: 5, expected: '144', alternatives: ['a gross'] }],
      notes: null,
    },
    answers: [
      ...[11, 12, 13].map((id) => answer(id)),
      ...[14, 15].map((id) => answer(id, { excerpt: '124', suggested: { q3: 1 } })),
      answer(16, { excerpt: '12', suggested: { q3: 0 }, flagged: true }),
      answer(17, { excerpt: '24', suggested: { q3: 0 } }),
      answer(18, { excerpt: '', state: 'empty', suggested: { q3: 0 } }),
    ],
    groups: [
      { id: 'g144', kind: 'same', variants: [[11, 12, 13]] },
      { id: 'g124', kind: 'same', variants: [[14, 15]] },
      { id: 'gwrong', kind: 'similar', variants: [[16], [17]] },
      { id: 'empty', kind: 'empty', variants: [[18]] },
    ],
    mark_first: [],
    learns_from: 'like',
    learning: false,
    expected_error: null,
    undo: null,
    graders: [],
    ...part,
  }
}
