import type { CriterionGrade, ReviewReason } from '@assay/shared/grades.ts'
import { IconFlag } from '@tabler/icons-react'
import { criterionGroup, reasonGroup } from './evidence-marks.ts'
import classes from './ReviewReasons.module.css'

interface Props {
  reasons: ReviewReason[]
  criteria: CriterionGrade[]
  chosen: string | null
  choose: (group: string) => void
}

/** Why a person should look, and where. */
export function ReviewReasons({ reasons, criteria, chosen, choose }: Props) {
  if (reasons.length === 0) return null
  return (
    <section className={classes.root} aria-label="Why this paper is flagged">
      <ul className={classes.list}>
        {reasons.map((reason, index) => {
          const place = placeOf(reasons, index, criteria)
          return (
            <li key={`${reason.code} ${reason.question_id} ${reason.message}`} className={classes.reason}>
              <IconFlag size={15} className={classes.icon} aria-hidden />
              <span>
                {reason.message}{' '}
                {place && (
                  <button
                    type="button"
                    className={classes.place}
                    aria-pressed={chosen === place.group}
                    onClick={() => choose(place.group)}
                  >
                    {place.words}
                  </button>
                )}
              </span>
            </li>
          )
        })}
      </ul>
    </section>
  )
}

/** Its own place on the paper, else the answer it speaks of. */
function placeOf(reasons: ReviewReason[], index: number, criteria: CriterionGrade[]) {
  const page = reasons[index]?.evidence?.[0]?.page
  if (page !== undefined) return { group: reasonGroup(reasons, index), words: `Show on page ${page}` }
  const criterion = criteria.find((one) => one.question_id === reasons[index]?.question_id)
  return criterion ? { group: criterionGroup(criterion.id), words: 'Show the answer' } : null
}
