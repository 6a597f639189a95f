import { Progress } from '@mantine/core'
import { CancelButton } from '../../components/display/buttons.tsx'
import { formatCount } from '../../lib/format.ts'
import classes from './GradedPapersBar.module.css'
import type { GradedPapersZip } from './useGradedPapersZip.ts'

export function GradedPapersBar({ zip }: { zip: GradedPapersZip }) {
  const { progress } = zip
  return (
    // Always present, so that screen readers announce what is added.
    <div role="status">
      {progress && (
        <section className={classes.root} aria-label="Graded papers">
          <div className={classes.row}>
            <span className={classes.words}>{wordsFor(progress)}</span>
            <CancelButton size="xs" onClick={zip.cancel} />
          </div>
          <Progress
            value={(100 * progress.done) / Math.max(1, progress.total ?? 0)}
            size="sm"
            aria-label="Graded papers in the ZIP"
          />
        </section>
      )}
    </div>
  )
}

function wordsFor({ done, total }: NonNullable<GradedPapersZip['progress']>): string {
  if (total === null) return 'Preparing graded papers…'
  return `Preparing graded papers: ${formatCount(Math.min(done, total))} of ${formatCount(total)}`
}
