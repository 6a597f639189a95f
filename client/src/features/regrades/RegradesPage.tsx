import { getAssignment } from '@assay/shared/assignments.ts'
import { listOpenRegrades, type OpenRegrade } from '@assay/shared/regrades.ts'
import { useState } from 'react'
import { Link } from 'react-router-dom'
import { LinkButton } from '../../components/display/buttons.tsx'
import { EmptyState } from '../../components/feedback/EmptyState.tsx'
import { Loaded, Page, PageHeader, RowSkeletons } from '../../components/layout/Page.tsx'
import { MathText } from '../../components/math/MathText.tsx'
import { useGet } from '../../lib/api/api-hooks.ts'
import { formatCount, formatPercent, formatPoints, formatTimeAgo, plural } from '../../lib/format.ts'
import { useRouteIds } from '../../lib/hooks/useRouteIds.ts'
import { submissionPath, submissionsPath } from '../../paths.ts'
import classes from './RegradesPage.module.css'

export function RegradesPage() {
  const { assignmentId } = useRouteIds('assignmentId')
  const assignment = useGet(getAssignment, { assignmentId })
  const requests = useGet(listOpenRegrades, { assignmentId })
  const list = submissionsPath(assignmentId)
  const title = assignment.data?.title ?? 'Assignment'
  const back = <LinkButton to={list}>Back to submissions</LinkButton>
  return (
    <Page>
      <PageHeader
        title="Regrade requests"
        tabTitle={`Regrade requests, ${title}`}
        subtitle="Students who ask you to look at a grade again. The oldest request comes first."
        crumbs={[{ label: title, to: list }, { label: 'Regrade requests' }]}
      />
      <Loaded
        query={requests}
        title="Error Loading Requests"
        fallback="The regrade requests could not be loaded."
        actions={back}
        skeleton={<RowSkeletons count={4} label="Loading regrade requests" />}
      >
        {(data) =>
          data.length === 0 ? (
            <EmptyState title="No open requests" action={back}>
              Requests appear here when students ask for a regrade of a released grade.
            </EmptyState>
          ) : (
            <Requests assignmentId={assignmentId} requests={data} />
          )
        }
      </Loaded>
    </Page>
  )
}

/** `null`: the whole paper, or an unknown question. */
type QuestionChoice = string | null | 'all'

function Requests({ assignmentId, requests }: { assignmentId: number; requests: OpenRegrade[] }) {
  const [chosen, choose] = useState<QuestionChoice>('all')
  const byQuestion = Map.groupBy(requests, ({ question }) => question?.id ?? null)
  const shown = chosen === 'all' ? requests : (byQuestion.get(chosen) ?? requests)
  const groups = [...byQuestion].sort(
    ([a, [first]], [b, [second]]) =>
      Number(a === null) - Number(b === null) ||
      (first?.question?.number ?? '').localeCompare(second?.question?.number ?? '', undefined, { numeric: true }),
  )
  return (
    <>
      {groups.length > 1 && (
        <fieldset className={classes.filters} aria-label="Show">
          <button type="button" aria-pressed={chosen === 'all'} onClick={() => choose('all')}>
            All <span>{formatCount(requests.length)}</span>
          </button>
          {groups.map(([id, some]) => (
            <button type="button" key={id ?? ''} aria-pressed={chosen === id} onClick={() => choose(id)}>
              {aboutWhat(some[0])} <span>{formatCount(some.length)}</span>
            </button>
          ))}
        </fieldset>
      )}
      <p role="status" className={classes.count}>
        {plural(shown.length, 'open request')}
      </p>
      <ol className="boxed-list">
        {shown.map((request) => (
          <li key={request.id} className={classes.request}>
            <div>
              <h2 className={classes.name}>
                <Link to={submissionPath(assignmentId, request.submission_id)}>{request.student}</Link>{' '}
                <span>{aboutWhat(request)}</span>
              </h2>
              <p className={classes.reason}>
                <MathText>{request.reason}</MathText>
              </p>
            </div>
            <div className={classes.facts}>
              <span>
                {request.points
                  ? `${formatPoints(request.points.when_asked)} of ${formatPoints(request.points.of)} points`
                  : formatPercent(request.score_when_asked)}
              </span>
              <time dateTime={request.asked_at}>{formatTimeAgo(request.asked_at)}</time>
            </div>
          </li>
        ))}
      </ol>
    </>
  )
}

function aboutWhat(request: OpenRegrade | undefined): string {
  if (request?.question) return `Question ${request.question.number}`
  return request?.criterion ? 'Other questions' : 'Whole paper'
}
