import { flagReviewList, getReviewList, REVIEW_LIMITS, type ReviewList } from '@assay/shared/accuracy-checks.ts'
import { Button, Select } from '@mantine/core'
import { useState } from 'react'
import { Link } from 'react-router-dom'
import { SecondaryButton } from '../../components/display/buttons.tsx'
import { Notice } from '../../components/feedback/Notice.tsx'
import { Loaded, Panel, PanelList, RowSkeletons } from '../../components/layout/Page.tsx'
import { useAttempt, useGet, useRevalidate, useSend } from '../../lib/api/api-hooks.ts'
import { plural } from '../../lib/format.ts'
import { toast } from '../../lib/toast.ts'
import { submissionPath, submissionsPath } from '../../paths.ts'
import classes from './accuracy.module.css'

interface Props {
  assignmentId: number
  checkId: number
}

export function ReviewListPanel({ assignmentId, checkId }: Props) {
  const [chosen, setChosen] = useState<number>()
  const list = useGet(getReviewList, { assignmentId }, { limit: chosen }, { keepPreviousData: true })
  const limit = chosen ?? list.data?.limit ?? REVIEW_LIMITS.usual
  const limits = [...new Set([...REVIEW_LIMITS.offered, limit])].sort((a, b) => a - b)
  return (
    <Panel title="Papers to look at">
      <Select
        label="A total may be off by"
        className={classes.limit}
        allowDeselect={false}
        data={limits.map((one) => ({ value: String(one), label: `${one} points of 100` }))}
        value={String(limit)}
        onChange={(value) => setChosen(Number(value))}
      />
      <Loaded
        query={list}
        title="Error Loading the Papers"
        skeleton={<RowSkeletons count={2} label="Finding the papers" />}
      >
        {(data) => (
          <>
            <p className={classes.sentence} aria-live="polite">
              {listSentence(data)}
            </p>
            <Flags assignmentId={assignmentId} checkId={checkId} list={data} reload={list.reload} />
            {data.papers.length > 0 && (
              <PanelList label="Papers to look at">
                {data.papers.map(({ submission_id, student }) => (
                  <li key={submission_id} className={classes.paper}>
                    <Link to={submissionPath(assignmentId, submission_id)}>{student}</Link>
                  </li>
                ))}
              </PanelList>
            )}
          </>
        )}
      </Loaded>
    </Panel>
  )
}

function listSentence({ papers, others, limit }: ReviewList): string {
  const count = papers.length
  if (count + others === 0) return 'All papers are approved.'
  if (count === 0) return `No total is expected to be off by more than ${limit} points.`
  const look = count === 1 ? 'Look at this paper' : `Look at these ${count} papers, the most doubtful first`
  if (others === 0) return `${look}. There are no others that are not approved.`
  return `${look}. ${others === 1 ? 'The other one is' : `The other ${others} are`} expected to be off by less.`
}

interface FlagsProps extends Props {
  list: ReviewList
  reload: () => Promise<boolean>
}

function Flags({ assignmentId, checkId, list: { limit, papers, flagged, flags_to_change }, reload }: FlagsProps) {
  const flag = useSend(flagReviewList)
  const refresh = useRevalidate()
  const { attempt, failure } = useAttempt('The flags were not changed. Please try again.')
  const send = (by: number | null) =>
    attempt(async () => {
      const { papers: count } = await flag.send({ params: { assignmentId }, body: { check_id: checkId, limit: by } })
      await reload()
      toast.success(
        by === null
          ? `The flags of ${plural(count, 'paper')} were taken back.`
          : `${plural(count, 'paper')} flagged for review.`,
      )
      await refresh(`/assignments/${assignmentId}/submissions`)
    })
  if (papers.length === 0 && flagged === 0) return null
  return (
    <div className={classes.flags}>
      {flagged > 0 && (
        <p>
          <Link to={`${submissionsPath(assignmentId)}?status=flagged`}>
            {flagged === 1 ? '1 paper is' : `${flagged} papers are`} flagged
          </Link>{' '}
          by an accuracy check
          {flags_to_change > 0 ? ', but not just the papers of this list.' : '.'}
        </p>
      )}
      {failure && <Notice tone="bad">{failure}</Notice>}
      <div className={classes.buttons}>
        {flags_to_change > 0 && papers.length > 0 && (
          <Button loading={flag.sending} onClick={() => void send(limit)}>
            {flagged > 0 ? 'Update the flags' : papers.length === 1 ? 'Flag this paper' : 'Flag these papers'}
          </Button>
        )}
        {flagged > 0 && (
          <SecondaryButton disabled={flag.sending} onClick={() => void send(null)}>
            Take back the flags
          </SecondaryButton>
        )}
      </div>
    </div>
  )
}
