import type { Criterion, Question } from '@assay/shared/rubrics.ts'
import { mean } from '../../lib/numbers.ts'
import type { Judgement } from '../exact/judgement.ts'
import { acceptedAnswers } from '../text/accepted-answers.ts'
import { matchCode } from '../text/code-match.ts'
import { isCode } from '../text/open-keys.ts'

/** A whole program without a mark for each line: of its lines as many as are found, and little is sure. */
const MOST_OF_A_PROGRAM = 0.6

/** Judges a program or a query by what its lines do; null for any other criterion. The same may be done in other ways. */
export function judgeCode(
  { prompt, criteria }: Pick<Question, 'prompt' | 'criteria'>,
  criterion: Criterion,
  answer: string,
): Judgement | null {
  if (!isCode(criteria.map(({ expected }) => expected).join('\n'))) return null
  const found = acceptedAnswers(criterion).map((key) => {
    if (criteria.length > 1) return matchCode(key, answer, prompt)
    const lines = key.split('\n').filter((line) => /\p{L}/u.test(line))
    const matches = lines.map((line) => matchCode(line, answer, prompt))
    return {
      share: mean(matches.map(({ share }) => share)),
      confidence: Math.min(MOST_OF_A_PROGRAM, mean(matches.map(({ confidence }) => confidence))),
    }
  })
  const [best] = found.sort((a, b) => b.share - a.share)
  if (!best) return null
  const points = [{ text: criterion.text, found: best.share === 1, coverage: best.share }]
  return { raw: best.share, ...best, remarks: [], matched: [], missing: [], points }
}
