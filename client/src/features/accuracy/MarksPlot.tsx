import type { AccuracyResult } from '@assay/shared/accuracy-checks.ts'
import { formatPoints } from '../../lib/format.ts'
import classes from './accuracy.module.css'

const SIZE = 220
const MARGIN = 28
const at = (share: number) => MARGIN + share * (SIZE - 2 * MARGIN)

/** Each mark against its suggestion, as shares of the points: on the line both are the same. */
export function MarksPlot({ pairs }: Pick<AccuracyResult, 'pairs'>) {
  const above = pairs.filter(({ suggested, marked }) => suggested > marked + 1e-9).length
  const below = pairs.filter(({ suggested, marked }) => suggested < marked - 1e-9).length
  return (
    <figure className={classes.plot}>
      <svg
        viewBox={`0 0 ${SIZE} ${SIZE}`}
        role="img"
        aria-label={`Of ${pairs.length} marked answers, the suggestion is higher than your mark for ${above}, lower for ${below} and the same for ${pairs.length - above - below}.`}
      >
        <rect x={at(0)} y={at(0)} width={at(1) - at(0)} height={at(1) - at(0)} className={classes.frame} />
        <line x1={at(0)} y1={at(1)} x2={at(1)} y2={at(0)} className={classes.same} />
        {pairs.map(({ position, marked, suggested, of }) => (
          <circle key={position} cx={at(marked / of)} cy={at(1 - suggested / of)} r={5} className={classes.point} />
        ))}
        <text x={SIZE / 2} y={SIZE - 8} textAnchor="middle" className={classes.axis}>
          your mark
        </text>
        <text x={12} y={SIZE / 2} textAnchor="middle" transform={`rotate(-90 12 ${SIZE / 2})`} className={classes.axis}>
          suggested
        </text>
      </svg>
      <figcaption>
        <details>
          <summary>All marks</summary>
          <ul className={classes.pairs}>
            {pairs.map(({ position, number, marked, suggested, of }) => (
              <li key={position}>
                Question {number}: you {formatPoints(marked)}, suggested {formatPoints(suggested)} of {formatPoints(of)}
              </li>
            ))}
          </ul>
        </details>
      </figcaption>
    </figure>
  )
}
