import type { RegradeRequest } from '@assay/shared/regrades.ts'

/** Open, about the whole of submission 31. */
export function buildRegradeRequest(part: Partial<RegradeRequest> = {}): RegradeRequest {
  return {
    id: 4,
    submission_id: 31,
    state: 'open',
    reason: 'Question 2 was right.',
    criterion: null,
    question: null,
    points: null,
    asked_at: '2026-01-12T14:02:00Z',
    score_when_asked: 82.5,
    answer: null,
    answered_at: null,
    score_when_answered: null,
    outcome: null,
    ...part,
  }
}
