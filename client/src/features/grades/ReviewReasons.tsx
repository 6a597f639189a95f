import type { ReviewReason } from '@assay/shared/grades.ts'
import { IconFlag } from '@tabler/icons-react'
import { reasonGroup } from './evidence-marks.ts'
import classes from './ReviewReasons.module.css'

interface Props {
  reasons: ReviewReason[]
  chosen: string | null
  choose: (group: string) => void
}

/** Why a person should look, and where. */
export function ReviewReasons({ reasons, chosen, choose }: Props) {
  if (reasons.length === 0) return null
  return (
    <section className={classes.root} aria-label="Why this paper is flagged">
      <ul className={classes.list}>
        {reasons.map((reason, index) => {
          const group = reasonGroup(index)
          const page = reason.evidence?.[0]?.page
          return (
            <li key={group} className={classes.reason}>
              <IconFlag size={15} className={classes.icon} aria-hidden />
              <span>
                {reason.message}{' '}
                {page !== undefined && (
                  <button
                    type="button"
                    className={classes.place}
                    aria-pressed={chosen === group}
                    onClick={() => choose(group)}
                  >
                    Show on page {page}
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
