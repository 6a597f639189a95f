import type { Grade, ReviewReason } from '@assay/shared/grades.ts'
import { IconFlag } from '@tabler/icons-react'
import { answersOfReason, reasonHighlight } from './criteria/evidence-highlights.ts'
import classes from './ReviewReasons.module.css'

interface Props {
  grade: Grade
  selected: string | null
  select: (group: string) => void
}

export function ReviewReasons({ grade, selected, select }: Props) {
  const reasons = groupReasons(grade)
  if (reasons.length === 0) return null
  return (
    <section className={classes.root} aria-label="Why this paper is flagged">
      <ul className={classes.list}>
        {reasons.map(({ reason, index }) => {
          const answers = answersOfReason(grade, reason)
          const place = answers.length > 0 ? null : reasonHighlight(grade, index)
          return (
            <li key={`${reason.code} ${reason.question_id} ${reason.message}`} className={classes.reason}>
              <IconFlag size={15} className={classes.icon} aria-hidden />
              <span>
                {reason.message}{' '}
                {place && (
                  <button
                    type="button"
                    className={classes.place}
                    aria-pressed={selected === place.group}
                    onClick={() => select(place.group)}
                  >
                    Show on page {place.page}
                  </button>
                )}
                {answers.length > 0 && (
                  <span className={classes.places}>
                    <span>Show question</span>
                    {answers.map(({ group, number }) => (
                      <button
                        key={group}
                        type="button"
                        className={`${classes.place} ${classes.number}`}
                        aria-label={`Show question ${number}`}
                        aria-pressed={selected === group}
                        onClick={() => select(group)}
                      >
                        {number}
                      </button>
                    ))}
                  </span>
                )}
              </span>
            </li>
          )
        })}
      </ul>
    </section>
  )
}

const TOGETHER = 3

/** Sentences for many answers, by the grader's for one (`server/src/grader/offline/review-reasons.ts`). */
const manyAnswers: [one: RegExp, many: (count: number) => string][] = [
  [/^The answer to question .+ was not read\./, (count) => `${count} answers were not read. Grade them by hand.`],
  [/^The answer to question .+ was hard to read/, (count) => `${count} answers were hard to read.`],
  [/^The grader is unsure of question /, (count) => `The grader is unsure of ${count} questions.`],
  [/^Nothing is written for question /, (count) => `Nothing is written for ${count} questions.`],
  [/^Couldn’t find question /, (count) => `Couldn’t find ${count} questions on this paper.`],
  [
    /^The key has no answer to question /,
    (count) => `The key has no answer to ${count} questions, so they were not graded.`,
  ],
  [/^The answer to question .+ could not be located/, (count) => `${count} answers could not be located on the page.`],
]

function groupReasons({ review_reasons: reasons }: Pick<Grade, 'review_reasons'>) {
  const kindOf = ({ message, question_id }: ReviewReason) =>
    question_id === undefined ? -1 : manyAnswers.findIndex(([one]) => one.test(message))
  const byKind = Map.groupBy(reasons, kindOf)
  return reasons.flatMap((reason, index): { reason: ReviewReason; index: number }[] => {
    const kind = kindOf(reason)
    const same = byKind.get(kind) ?? []
    const many = manyAnswers[kind]?.[1]
    if (!many || same.length < TOGETHER) return [{ reason, index }]
    if (same[0] !== reason) return []
    const question_ids = same.flatMap(({ question_id }) => question_id ?? [])
    return [{ reason: { code: reason.code, message: many(same.length), question_ids }, index }]
  })
}
