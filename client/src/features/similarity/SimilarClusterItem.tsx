import { listOf } from '@assay/shared/rules/format-list.ts'
import { papersOf } from '@assay/shared/rules/similar-clusters.ts'
import type { SimilarityReport, SimilarPair } from '@assay/shared/similarity.ts'
import { Button, NativeSelect } from '@mantine/core'
import { useState } from 'react'
import { Link } from 'react-router-dom'
import { StatusBadge } from '../../components/display/StatusBadge.tsx'
import { Notice } from '../../components/feedback/Notice.tsx'
import { plural } from '../../lib/format.ts'
import { SimilarPairAnswers } from './SimilarPairAnswers.tsx'
import classes from './similarity.module.css'
import { dismissedBy, pairLabel, whySimilar } from './similarity-messages.ts'
import { useDismissPairs } from './useDismissPairs.ts'

interface Props {
  assignmentId: number
  /** Two and more that are connected by their papers, the most unusual first. */
  pairs: SimilarPair[]
  changed: (report: SimilarityReport) => void
}

/** Three papers and more that are alike: one card, two of them at a time side by side. */
export function SimilarClusterItem({ assignmentId, pairs, changed }: Props) {
  const [at, setAt] = useState(0)
  const dismiss = useDismissPairs(assignmentId, changed)
  const open = pairs.filter(({ dismissed }) => dismissed === null)
  const [opened, setOpened] = useState(open.length > 0)
  const papers = papersOf(pairs)
  const pair = pairs[Math.min(at, pairs.length - 1)]
  if (!pair) return null
  const isDone = open.length === 0
  const name = listOf(papers.map(({ student }) => student))

  async function setAll() {
    const ids = (isDone ? pairs : open).map(({ id }) => id)
    if (await dismiss.set(ids, !isDone)) setOpened(isDone)
  }

  return (
    <article className={classes.pair} aria-label={name}>
      <div className={classes.head}>
        <h2 className={classes.names}>
          {papers.map(({ submission_id, student }, i) => (
            <span key={submission_id}>
              {i > 0 && (i === papers.length - 1 ? ' and ' : ', ')}
              <Link to={`/assignments/${assignmentId}/submissions/${submission_id}`}>{student}</Link>
            </span>
          ))}
        </h2>
        {isDone && <StatusBadge status="stable">Dismissed</StatusBadge>}
        <span className={classes.actions}>
          {isDone && !opened && (
            <Button variant="subtle" size="compact-sm" onClick={() => setOpened(true)}>
              Show
            </Button>
          )}
          <Button variant="default" size="compact-sm" loading={dismiss.sending} onClick={() => void setAll()}>
            {isDone ? 'Undo' : 'Dismiss all'}
          </Button>
        </span>
      </div>
      <p className={classes.why}>
        {plural(papers.length, 'paper')} alike in {plural(pairs.length, 'pair')}.
        {open.length > 0 && open.length < pairs.length && ` ${plural(pairs.length - open.length, 'pair')} dismissed.`}
      </p>
      {dismiss.failure && <Notice tone="bad">{dismiss.failure}</Notice>}
      {opened && (
        <>
          <div className={classes.choice}>
            <NativeSelect
              label="Compare"
              data={pairs.map((one, i) => ({
                value: String(i),
                label: one.dismissed ? `${pairLabel(one)} (dismissed)` : pairLabel(one),
              }))}
              value={String(pairs.indexOf(pair))}
              onChange={(event) => setAt(Number(event.currentTarget.value))}
            />
            <Button variant="default" disabled={at === 0} onClick={() => setAt(at - 1)}>
              Previous pair
            </Button>
            <Button variant="default" disabled={at >= pairs.length - 1} onClick={() => setAt(at + 1)}>
              Next pair
            </Button>
            <Button
              variant="subtle"
              loading={dismiss.sending}
              onClick={() => void dismiss.set([pair.id], pair.dismissed === null)}
            >
              {pair.dismissed ? 'Undo for this pair' : 'Dismiss this pair'}
            </Button>
          </div>
          <p className={classes.why} role="status">
            {pairLabel(pair)}: {whySimilar(pair.answers)}
            {dismissedBy(pair)}
          </p>
          <SimilarPairAnswers key={pair.id} assignmentId={assignmentId} pair={pair} />
        </>
      )}
    </article>
  )
}
