import type { Grade } from '@assay/shared/grades.ts'
import { IconFlag } from '@tabler/icons-react'
import { answersOfReason, reasonHighlight } from './criteria/evidence-highlights.ts'
import { groupReasons } from './group-reasons.ts'
import classes from './ReviewReasons.module.css'

interface Props {
  grade: Grade
  selected: string | null
  select: (group: string) => void
}

/** Why a person should look, and where. */
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
