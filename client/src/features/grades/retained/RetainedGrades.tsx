import { listRetainedGrades } from '@assay/shared/grades.ts'
import { useGet } from '../../../lib/api/api-hooks.ts'
import { formatPercent } from '../../../lib/format.ts'
import classes from './RetainedGrades.module.css'

/** Scores kept of students whose accounts were deleted; nearly always none, then nothing is requested. */
export function RetainedGrades({ assignmentId, retained }: { assignmentId: number; retained: number }) {
  const grades = useGet(listRetainedGrades, { assignmentId }, undefined, { enabled: retained > 0 })
  if (grades.data && grades.data.length > 0) {
    return (
      <section className={classes.root} aria-labelledby="retained">
        <h2 id="retained" className="subheading">
          Deleted accounts
        </h2>
        <p className={classes.text}>These scores had been released. The papers and everything else are deleted.</p>
        <ul className={classes.list}>
          {grades.data.map(({ id, placeholder, final_score }) => (
            <li key={id}>
              <span>{placeholder}</span>
              <strong>{formatPercent(final_score)}</strong>
            </li>
          ))}
        </ul>
      </section>
    )
  }
  if (grades.error) return <p className={classes.text}>Scores of deleted accounts could not be loaded.</p>
  return null
}
