import { getReviewBudget, REVIEW_LIMITS, REVIEW_RISKS } from '@assay/shared/accuracy-checks.ts'
import { Select } from '@mantine/core'
import { useState } from 'react'
import { Link } from 'react-router-dom'
import { LoadError } from '../../components/feedback/LoadError.tsx'
import { RowSkeletons } from '../../components/layout/PageSkeleton.tsx'
import { Panel, PanelList } from '../../components/layout/Panel.tsx'
import { useGet } from '../../lib/api/api-hooks.ts'
import classes from './accuracy.module.css'

const LIMITS = [5, REVIEW_LIMITS.usual, 15, 20, 30]
const RISKS = [2, REVIEW_RISKS.usual, 10, 20]

/** The shortest list of papers to look at for a promise about the others. */
export function ReviewBudgetPanel({ assignmentId }: { assignmentId: number }) {
  const [limit, setLimit] = useState<number>(REVIEW_LIMITS.usual)
  const [risk, setRisk] = useState<number>(REVIEW_RISKS.usual)
  const budget = useGet(getReviewBudget, { assignmentId }, { limit, risk }, { keepPreviousData: true })
  return (
    <Panel title="Papers to look at">
      <div className={classes.budget}>
        <Select
          label="A total may be off by"
          allowDeselect={false}
          data={LIMITS.map((one) => ({ value: String(one), label: `${one} points of 100` }))}
          value={String(limit)}
          onChange={(value) => setLimit(Number(value))}
        />
        <Select
          label="By more for at most"
          allowDeselect={false}
          data={RISKS.map((one) => ({ value: String(one), label: `${one} % of the others` }))}
          value={String(risk)}
          onChange={(value) => setRisk(Number(value))}
        />
      </div>
      {budget.data ? (
        <>
          <p className={classes.sentence} aria-live="polite">
            {budgetSentence(budget.data, limit)}
          </p>
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

function budgetSentence(
  { papers, others, risk }: { papers: unknown[]; others: number; risk: number },
  limit: number,
): string {
  const count = papers.length
  if (count === 0 && others === 0) return 'All papers are approved.'
  const chance = `off by more than ${limit} points with ${risk < 1 ? 'less than 1' : `about ${Math.round(risk)}`} % probability`
  if (count === 0) return others === 1 ? `The one paper is ${chance}.` : `Each of the ${others} papers is ${chance}.`
  if (others === 0)
    return `Look at ${count === 1 ? 'the one paper that is' : `all ${count} papers that are`} not approved: by these marks, none is sure enough. Allow more, or mark more answers.`
  const look = count === 1 ? 'Look at this paper' : `Look at these ${count} papers`
  return `${look}. ${others === 1 ? 'The other one is' : `Each of the other ${others} is`} ${chance}.`
}
