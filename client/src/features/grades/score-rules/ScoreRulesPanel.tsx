import type { Assignment } from '@assay/shared/assignments.ts'
import { type AssignmentScoreRules, getScoreRules, setScoreRules } from '@assay/shared/score-rules.ts'
import { Progress } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import { useLocation } from 'react-router-dom'
import { SecondaryButton, SubtleButton } from '../../../components/display/buttons.tsx'
import { AskFirst } from '../../../components/feedback/ConfirmModal.tsx'
import { Loaded, Panel, RowSkeletons } from '../../../components/layout/Page.tsx'
import { useGet, useRevalidate, useSend } from '../../../lib/api/api-hooks.ts'
import { formatDateTime } from '../../../lib/format.ts'
import { toast } from '../../../lib/toast.ts'
import { SCORES_ID } from '../../../paths.ts'
import { adjustmentText, lateRuleText } from './AdjustedScoreLine.tsx'
import { AdjustScoresModal } from './AdjustScoresModal.tsx'
import classes from './ScoreRulesPanel.module.css'

const POLL_MS = 1_000

export function ScoreRulesPanel({ assignment }: { assignment: Assignment }) {
  const rules = useGet(getScoreRules, { assignmentId: assignment.id }, undefined, {
    refreshIntervalMs: (data) => (data?.releasing ? POLL_MS : 0),
  })
  const refresh = useRevalidate()
  const [editing, setEditing] = useState(false)
  const place = useRef<HTMLDivElement>(null)
  const { hash } = useLocation()
  const loaded = rules.data !== undefined
  useEffect(() => {
    if (loaded && hash === `#${SCORES_ID}`) place.current?.scrollIntoView?.({ block: 'start' })
  }, [loaded, hash])

  function saved(next: AssignmentScoreRules, message: string) {
    rules.patch(() => next)
    toast.success(next.releasing ? `${message} Released scores are being updated.` : message)
    void refresh('/assignments', '/analytics')
  }

  return (
    <div className={classes.root} ref={place} id={SCORES_ID}>
      <Panel
        title="Scores"
        actions={rules.data && <SecondaryButton onClick={() => setEditing(true)}>Adjust Scores</SecondaryButton>}
      >
        <Loaded query={rules} skeleton={<RowSkeletons count={2} label="Loading score rules" />}>
          {(data) => (
            <>
              <RulesInForce
                rules={data}
                assignment={assignment}
                undone={(next) => saved(next, 'The last change was undone.')}
              />
              <AdjustScoresModal
                assignment={assignment}
                rules={data}
                opened={editing}
                close={() => setEditing(false)}
                saved={(next) => saved(next, 'Saved.')}
              />
            </>
          )}
        </Loaded>
      </Panel>
    </div>
  )
}

interface InForceProps {
  rules: AssignmentScoreRules
  assignment: Assignment
  undone: (next: AssignmentScoreRules) => void
}

function RulesInForce({ rules, assignment, undone }: InForceProps) {
  const { changed, previous, releasing, late_penalty, late_rule, version } = rules
  const change = useSend(setScoreRules)

  async function undo() {
    if (!previous) return
    undone(await change.send({ params: { assignmentId: assignment.id }, body: { ...previous, version } }))
  }

  return (
    <div className={classes.words}>
      <dl className={classes.rules}>
        <div>
          <dt>Late work</dt>
          <dd>
            {lateRuleText(rules)}
            {late_penalty && late_rule !== 'mark_late' && ', once late work is marked late again'}
          </dd>
        </div>
        <div>
          <dt>All scores</dt>
          <dd>{adjustmentText(rules)}</dd>
        </div>
      </dl>
      {releasing && <ReleasingProgress {...releasing} />}
      {changed && previous && (
        <p className={classes.changed}>
          <span>
            Changed by {changed.by_name} on <time dateTime={changed.at}>{formatDateTime(changed.at)}</time>.
          </span>
          <AskFirst
            button={(ask) => (
              <SubtleButton size="compact-sm" onClick={ask}>
                Undo
              </SubtleButton>
            )}
            title="Undo the last change?"
            confirmLabel="Undo Change"
            onConfirm={undo}
          >
            <p>
              Late work: {lateRuleText(previous)}. All scores: {adjustmentText(previous)}.
            </p>
            {assignment.status === 'published' && (
              <p>Students whose released score changes see it at once and are told by mail.</p>
            )}
          </AskFirst>
        </p>
      )}
    </div>
  )
}

function ReleasingProgress({ done, total }: { done: number; total: number }) {
  return (
    <div className={classes.progress}>
      <span role="status">
        Updating released scores: {done} of {total}
      </span>
      <Progress value={total === 0 ? 100 : (done / total) * 100} aria-label="Released scores updated" />
    </div>
  )
}
