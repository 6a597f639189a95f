import type { SimilarityReport, SimilarPair } from '@assay/shared/similarity.ts'
import { Button } from '@mantine/core'
import { useState } from 'react'
import { Link } from 'react-router-dom'
import { StatusBadge } from '../../components/display/StatusBadge.tsx'
import { Notice } from '../../components/feedback/Notice.tsx'
import { SimilarPairAnswers } from './SimilarPairAnswers.tsx'
import classes from './similarity.module.css'
import { dismissedBy, pairLabel, whySimilar } from './similarity-messages.ts'
import { useDismissPairs } from './useDismissPairs.ts'

interface Props {
  assignmentId: number
  pair: SimilarPair
  changed: (report: SimilarityReport) => void
}

/** Two papers, why they are listed, and their answers side by side. */
export function SimilarPairItem({ assignmentId, pair, changed }: Props) {
  const { id, first, second, answers, dismissed } = pair
  const dismiss = useDismissPairs(assignmentId, changed)
  const [opened, setOpened] = useState(dismissed === null)

  async function set(wanted: boolean) {
    if (await dismiss.set([id], wanted)) setOpened(!wanted)
  }

  const paperOf = ({ submission_id, student }: SimilarPair['first']) => (
    <Link to={`/assignments/${assignmentId}/submissions/${submission_id}`}>{student}</Link>
  )
  return (
    <article className={classes.pair} aria-label={pairLabel(pair)}>
      <div className={classes.head}>
        <h2 className={classes.names}>
          {paperOf(first)} and {paperOf(second)}
        </h2>
        {dismissed && <StatusBadge status="stable">Dismissed</StatusBadge>}
        <span className={classes.actions}>
          {dismissed && !opened && (
            <Button variant="subtle" size="compact-sm" onClick={() => setOpened(true)}>
              Show
            </Button>
          )}
          <Button
            variant="default"
            size="compact-sm"
            loading={dismiss.sending}
            onClick={() => void set(dismissed === null)}
          >
            {dismissed ? 'Undo' : 'Dismiss'}
          </Button>
        </span>
      </div>
      <p className={classes.why}>
        {whySimilar(answers)}
        {dismissedBy(pair)}
      </p>
      {dismiss.failure && <Notice tone="bad">{dismiss.failure}</Notice>}
      {opened && <SimilarPairAnswers assignmentId={assignmentId} pair={pair} />}
    </article>
  )
}
