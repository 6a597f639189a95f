import { listOf } from '@assay/shared/rules/format-list.ts'
import { dismissSimilarPairs, type SimilarityReport, type SimilarPair } from '@assay/shared/similarity.ts'
import { Button, NativeSelect } from '@mantine/core'
import { useState } from 'react'
import { Link } from 'react-router-dom'
import { StatusBadge } from '../../components/display/StatusBadge.tsx'
import { Notice } from '../../components/feedback/Notice.tsx'
import { messageOf } from '../../lib/api/api-error.ts'
import { useSend } from '../../lib/api/api-hooks.ts'
import { formatDateTime, plural } from '../../lib/format.ts'
import { SimilarPairAnswers } from './SimilarPairAnswers.tsx'
import classes from './similarity.module.css'
import { whySimilar } from './why-similar.ts'

interface Props {
  assignmentId: number
  /** One, or some that are connected by their papers, the most unusual first. */
  pairs: SimilarPair[]
  changed: (report: SimilarityReport) => void
}

/** Papers that are alike, why they are listed, and the answers of two of them at a time side by side. */
export function SimilarPapersCard({ assignmentId, pairs, changed }: Props) {
  const open = pairs.filter(({ dismissed }) => dismissed === null)
  const isDone = open.length === 0
  const [at, setAt] = useState(0)
  const [opened, setOpened] = useState(!isDone)
  const dismiss = useSend(dismissSimilarPairs)
  const papers = [
    ...new Map(pairs.flatMap(({ first, second }) => [first, second]).map((one) => [one.submission_id, one])).values(),
  ]
  const pair = pairs[Math.min(at, pairs.length - 1)]
  if (!pair) return null
  const isGroup = pairs.length > 1

  async function set(some: SimilarPair[], dismissed: boolean): Promise<boolean> {
    const body = { pair_ids: some.map(({ id }) => id), dismissed }
    return dismiss.send({ params: { assignmentId }, body }).then(
      (report) => {
        changed(report)
        return true
      },
      () => false,
    )
  }

  async function setAll() {
    if (await set(isDone ? pairs : open, !isDone)) setOpened(isDone)
  }

  const why = `${whySimilar(pair.answers)}${dismissedBy(pair)}`
  return (
    <article className={classes.pair} aria-label={listOf(papers.map(({ student }) => student))}>
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
            {isDone ? 'Undo' : isGroup ? 'Dismiss all' : 'Dismiss'}
          </Button>
        </span>
      </div>
      <p className={classes.why}>
        {isGroup ? `${plural(papers.length, 'paper')} alike in ${plural(pairs.length, 'pair')}.` : why}
        {isGroup &&
          !isDone &&
          open.length < pairs.length &&
          ` ${plural(pairs.length - open.length, 'pair')} dismissed.`}
      </p>
      {dismiss.error && <Notice tone="bad">{messageOf(dismiss.error, 'This was not saved. Please try again.')}</Notice>}
      {opened && isGroup && (
        <>
          <div className={classes.choice}>
            <NativeSelect
              label="Compare"
              data={pairs.map((one, i) => ({
                value: String(i),
                label: `${pairLabel(one)}${one.dismissed ? ' (dismissed)' : ''}`,
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
              onClick={() => void set([pair], pair.dismissed === null)}
            >
              {pair.dismissed ? 'Undo for this pair' : 'Dismiss this pair'}
            </Button>
          </div>
          <p className={classes.why} role="status">
            {pairLabel(pair)}: {why}
          </p>
        </>
      )}
      {opened && <SimilarPairAnswers key={pair.id} assignmentId={assignmentId} pair={pair} />}
    </article>
  )
}

const pairLabel = ({ first, second }: SimilarPair) => `${first.student} and ${second.student}`

const dismissedBy = ({ dismissed }: SimilarPair) =>
  dismissed ? ` Dismissed by ${dismissed.by_name} on ${formatDateTime(dismissed.at)}.` : ''
