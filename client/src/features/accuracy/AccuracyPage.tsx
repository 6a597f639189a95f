import { type AccuracyCheck, getAccuracyCheck } from '@assay/shared/accuracy-checks.ts'
import { getAssignment } from '@assay/shared/assignments.ts'
import { Button } from '@mantine/core'
import { useState } from 'react'
import { Link } from 'react-router-dom'
import { LoadError } from '../../components/feedback/LoadError.tsx'
import { Page } from '../../components/layout/Page.tsx'
import { PageHeader } from '../../components/layout/PageHeader.tsx'
import { RowSkeletons } from '../../components/layout/PageSkeleton.tsx'
import { useGet } from '../../lib/api/api-hooks.ts'
import { useRouteIds } from '../../lib/hooks/useRouteIds.ts'
import { questionsPath } from '../questions/question-path.ts'
import { AccuracyResults } from './AccuracyResults.tsx'
import { MarkSample } from './MarkSample.tsx'
import { StartCheck } from './StartCheck.tsx'

/** A teacher marks some answers without seeing the suggestions, and learns how far those can be trusted. */
export function AccuracyPage() {
  const { assignmentId } = useRouteIds('assignmentId')
  const assignment = useGet(getAssignment, { assignmentId })
  const loaded = useGet(getAccuracyCheck, { assignmentId })
  const isMarking = loaded.data?.check?.finished_at === null
  const title = assignment.data?.title ?? 'Assignment'
  return (
    <Page>
      <PageHeader
        title="Check accuracy"
        tabTitle={`Check accuracy, ${title}`}
        subtitle={
          // Said before; while marking, a low frame of an LMS has no room for it.
          isMarking
            ? null
            : 'Mark some answers without seeing the suggestions. Then you know how far the others can be trusted.'
        }
        crumbs={[{ label: title, to: `/assignments/${assignmentId}/submissions` }, { label: 'Check accuracy' }]}
        actions={
          <Button component={Link} to={questionsPath(assignmentId)} variant="default">
            Grade by question
          </Button>
        }
      />
      {loaded.data ? (
        <Check
          assignmentId={assignmentId}
          {...loaded.data}
          changed={(check) => loaded.patch((before) => ({ ...before, check }))}
        />
      ) : loaded.error ? (
        <LoadError error={loaded.error} retry={loaded.reload} title="Error Loading the Check" />
      ) : (
        <RowSkeletons count={3} label="Loading the check" />
      )}
    </Page>
  )
}

interface CheckProps {
  assignmentId: number
  check: AccuracyCheck | null
  available: number
  decided: number
  changed: (check: AccuracyCheck) => void
}

function Check({ check, changed, ...ofAssignment }: CheckProps) {
  const [again, setAgain] = useState(false)
  function started(next: AccuracyCheck) {
    setAgain(false)
    changed(next)
  }
  if (!check || again)
    return <StartCheck {...ofAssignment} cancel={check ? () => setAgain(false) : null} started={started} />
  const { assignmentId } = ofAssignment
  if (!check.finished_at) return <MarkSample assignmentId={assignmentId} check={check} changed={changed} />
  return <AccuracyResults assignmentId={assignmentId} check={check} startAgain={() => setAgain(true)} />
}
