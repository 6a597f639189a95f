import { type Attempt, getAttemptFile } from '@assay/shared/students.ts'
import { Button } from '@mantine/core'
import { Notice } from '../../../components/feedback/Notice.tsx'
import { formatDateTime } from '../../../lib/format.ts'
import classes from './EarlierAttempts.module.css'
import { useFileDownload } from './useFileDownload.ts'

/** The papers that others have taken the place of; none of them counts. */
export function EarlierAttempts({ assignmentId, attempts }: { assignmentId: number; attempts: Attempt[] }) {
  const { save, saving, failure } = useFileDownload()
  if (attempts.length === 0) return null
  return (
    <section aria-labelledby="attempts">
      <h2 id="attempts" className={classes.title}>
        Earlier papers
      </h2>
      <p className={classes.note}>Replaced by a later paper and not graded.</p>
      <ol className={classes.list}>
        {attempts.map((attempt) => (
          <li key={attempt.number}>
            <span className={classes.name}>{attempt.file_name}</span>
            <span className={classes.when}>
              {attempt.handed_in_by === 'teacher' ? 'uploaded by your instructor' : 'handed in'}{' '}
              <time dateTime={attempt.handed_in_at}>{formatDateTime(attempt.handed_in_at)}</time>
              {attempt.late && ', late'}
            </span>
            <Button
              variant="subtle"
              disabled={saving}
              aria-label={`Download ${attempt.file_name}`}
              onClick={() =>
                void save(getAttemptFile, { params: { assignmentId, number: attempt.number } }, attempt.file_name)
              }
            >
              Download
            </Button>
          </li>
        ))}
      </ol>
      {failure && <Notice tone="bad">{failure}</Notice>}
    </section>
  )
}
