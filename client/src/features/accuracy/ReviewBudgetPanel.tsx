import {
  flagReviewBudget,
  getReviewBudget,
  REVIEW_LIMITS,
  REVIEW_RISKS,
  type ReviewBudget,
  type ReviewBudgetLimits,
  unflagReviewBudget,
} from '@assay/shared/accuracy-checks.ts'
import { Button, Select } from '@mantine/core'
import { useState } from 'react'
import { Link } from 'react-router-dom'
import { LoadError } from '../../components/feedback/LoadError.tsx'
import { Notice } from '../../components/feedback/Notice.tsx'
import { RowSkeletons } from '../../components/layout/PageSkeleton.tsx'
import { Panel, PanelList } from '../../components/layout/Panel.tsx'
import { messageOf } from '../../lib/api/api-error.ts'
import { useGet, useRevalidate, useSend } from '../../lib/api/api-hooks.ts'
import { plural } from '../../lib/format.ts'
import { toast } from '../../lib/toast.ts'
import classes from './accuracy.module.css'

interface Props {
  assignmentId: number
  checkId: number
}

/** The shortest list of papers to look at for a promise about the others. */
export function ReviewBudgetPanel({ assignmentId, checkId }: Props) {
  const [chosen, setChosen] = useState<Partial<ReviewBudgetLimits>>({})
  const budget = useGet(getReviewBudget, { assignmentId }, chosen, { keepPreviousData: true })
  const asked = { ...budget.data?.asked, ...chosen }
  return (
    <Panel title="Papers to look at">
      <div className={classes.budget}>
        <Select
          label="A total may be off by"
          allowDeselect={false}
          data={limitChoices(budget.data?.limits ?? [], asked.limit)}
          value={String(asked.limit ?? REVIEW_LIMITS.usual)}
          onChange={(value) => setChosen({ ...chosen, limit: Number(value) })}
        />
        <Select
          label="By more for at most"
          allowDeselect={false}
          data={choices(REVIEW_RISKS.offered, asked.risk, '% of the others')}
          value={String(asked.risk ?? REVIEW_RISKS.usual)}
          onChange={(value) => setChosen({ ...chosen, risk: Number(value) })}
        />
      </div>
      {budget.data ? (
        <>
          <p className={classes.sentence} aria-live="polite">
            {budgetSentence(budget.data, budget.data.asked.limit)}
          </p>
          <LimitsNotKept budget={budget.data} />
          <BudgetFlags
            assignmentId={assignmentId}
            checkId={checkId}
            budget={budget.data}
            changed={(next) => budget.patch(() => next)}
            reload={budget.reload}
          />
          {budget.data.papers.length > 0 && (
            <PanelList label="Papers to look at">
              {budget.data.papers.map(({ submission_id, student }) => (
                <li key={submission_id} className={classes.paper}>
                  <Link to={`/assignments/${assignmentId}/submissions/${submission_id}`}>{student}</Link>
                </li>
              ))}
            </PanelList>
          )}
        </>
      ) : budget.error ? (
        <LoadError error={budget.error} retry={budget.reload} title="Error Loading the Papers" />
      ) : (
        <RowSkeletons count={2} label="Finding the papers" />
      )}
    </Panel>
  )
}

/** With the one that is chosen, wherever it was chosen. */
const choices = (usual: readonly number[], chosen: number | undefined, unit: string) =>
  [...new Set([...usual, ...(chosen === undefined ? [] : [chosen])])]
    .sort((a, b) => a - b)
    .map((one) => ({ value: String(one), label: `${one} ${unit}` }))

/** A limit at which every paper would have to be read is shown, and cannot be chosen. */
const limitChoices = (limits: ReviewBudget['limits'], chosen: number | undefined) =>
  choices(limits.length > 0 ? limits.map(({ limit }) => limit) : REVIEW_LIMITS.offered, chosen, 'points of 100').map(
    (choice) => {
      const known = limits.find(({ limit }) => String(limit) === choice.value)
      const disabled = known?.others === 0 && known.limit !== chosen
      return disabled ? { value: choice.value, label: `${choice.label}: all papers`, disabled } : choice
    },
  )

/** Says which limits are not offered, and why. */
function LimitsNotKept({ budget: { limits, papers, others } }: { budget: ReviewBudget }) {
  if (papers.length + others === 0) return null
  const kept = limits.filter((one) => one.others > 0).map(({ limit }) => limit)
  const lowest = Math.min(...kept)
  const tooLow = limits.filter(({ limit }) => limit < lowest).map(({ limit }) => limit)
  if (tooLow.length === 0) return null
  return (
    <p className={classes.dim}>
      Going by your marks, no paper is sure to be within {Math.max(...tooLow)} points unless somebody reads it.
      {kept.length === 0 && ' Mark more answers, or grade by question: the grader learns from your points.'}
    </p>
  )
}

interface BudgetFlagsProps extends Props {
  budget: ReviewBudget
  changed: (budget: ReviewBudget) => void
  reload: () => Promise<boolean>
}

/** Whether the papers to look at are flagged, so that the list of submissions leads through them. */
function BudgetFlags({ assignmentId, checkId, budget, changed, reload }: BudgetFlagsProps) {
  const { asked, papers, flagged, flags_to_change } = budget
  const flag = useSend(flagReviewBudget)
  const unflag = useSend(unflagReviewBudget)
  const refresh = useRevalidate()
  const [failure, setFailure] = useState<string | null>(null)
  const params = { assignmentId }

  async function attempt(change: () => Promise<string>) {
    setFailure(null)
    try {
      toast.success(await change())
      await refresh(`/assignments/${assignmentId}/submissions`)
    } catch (error) {
      setFailure(messageOf(error, 'The flags were not changed. Please try again.'))
    }
  }

  const setFlags = () =>
    attempt(async () => {
      const next = await flag.send({ params, body: { check_id: checkId, ...asked } })
      changed(next)
      return `${plural(next.flagged, 'paper')} flagged for review.`
    })
  const takeBack = () =>
    attempt(async () => {
      const { papers: count } = await unflag.send({ params })
      await reload()
      return `The flags of ${plural(count, 'paper')} were taken back.`
    })

  if (papers.length === 0 && flagged === 0) return null
  return (
    <div className={classes.flags}>
      {flagged > 0 && (
        <p>
          <Link to={`/assignments/${assignmentId}/submissions?status=flagged`}>
            {flagged === 1 ? '1 paper is' : `${flagged} papers are`} flagged
          </Link>{' '}
          by an accuracy check
          {flags_to_change > 0 ? ', but not just the papers of this list.' : '.'}
        </p>
      )}
      {failure && <Notice tone="bad">{failure}</Notice>}
      <div className={classes.buttons}>
        {flags_to_change > 0 && papers.length > 0 && (
          <Button loading={flag.sending} disabled={unflag.sending} onClick={() => void setFlags()}>
            {flagged > 0 ? 'Update the flags' : papers.length === 1 ? 'Flag this paper' : 'Flag these papers'}
          </Button>
        )}
        {flagged > 0 && (
          <Button variant="default" loading={unflag.sending} disabled={flag.sending} onClick={() => void takeBack()}>
            Take back the flags
          </Button>
        )}
      </div>
    </div>
  )
}

function budgetSentence(
  { papers, others, risk }: { papers: unknown[]; others: number; risk: number },
  limit: number,
): string {
  const count = papers.length
  if (count === 0 && others === 0) return 'All papers are approved.'
  const share = `${risk < 1 ? 'less than 1' : `about ${Math.round(risk)}`} %`
  const far = `off by more than ${limit} points`
  if (count === 0)
    return others === 1
      ? `The one paper is ${far} with ${share} probability.`
      : `Of the ${others} papers, ${share} are expected to be ${far}.`
  if (others === 0)
    return `Look at ${count === 1 ? 'the one paper that is' : `all ${count} papers that are`} not approved: by these marks, none is sure enough.`
  const look = count === 1 ? 'Look at this paper' : `Look at these ${count} papers`
  return others === 1
    ? `${look}. The other one is ${far} with ${share} probability.`
    : `${look}. Of the other ${others}, ${share} are expected to be ${far}.`
}
