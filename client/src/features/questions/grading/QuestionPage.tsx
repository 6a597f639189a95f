import { getAssignment } from '@assay/shared/assignments.ts'
import { getQuestion } from '@assay/shared/questions.ts'
import { useParams } from 'react-router-dom'
import { LinkButton } from '../../../components/display/buttons.tsx'
import { Announcer } from '../../../components/feedback/Announcer.tsx'
import { EmptyState } from '../../../components/feedback/EmptyState.tsx'
import { LoadError, Page, PageSkeleton } from '../../../components/layout/Page.tsx'
import { usePageTitle } from '../../../components/layout/usePageTitle.ts'
import { useGet } from '../../../lib/api/api-hooks.ts'
import { useRouteIds } from '../../../lib/hooks/useRouteIds.ts'
import { questionsPath } from '../../../paths.ts'
import { GradingScreen } from './GradingScreen.tsx'

export function QuestionPage() {
  const { assignmentId } = useRouteIds('assignmentId')
  const { questionId = '' } = useParams()
  const loaded = useGet(getQuestion, { assignmentId, questionId })
  const assignment = useGet(getAssignment, { assignmentId })
  const number = loaded.data?.question.number
  usePageTitle(`${number ? `Question ${number}` : 'Grade a question'} · ${assignment.data?.title ?? 'Assignment'}`)
  const back = <LinkButton to={questionsPath(assignmentId)}>Back to questions</LinkButton>
  if (loaded.data && loaded.data.answers.length === 0)
    return (
      <Page>
        <EmptyState title="No answers to grade yet" titleOrder={1} action={back}>
          No paper has a graded answer to this question.
        </EmptyState>
      </Page>
    )
  if (loaded.data)
    return (
      <Announcer key={`${assignmentId} ${questionId}`}>
        <GradingScreen
          assignmentId={assignmentId}
          question={loaded.data}
          loaded={loaded}
          assignment={assignment.data}
        />
      </Announcer>
    )
  if (loaded.error)
    return (
      <Page>
        <LoadError
          isWhole
          error={loaded.error}
          retry={loaded.reload}
          title="Error Loading Question"
          fallback="The question could not be loaded."
        >
          {back}
        </LoadError>
      </Page>
    )
  return <PageSkeleton label="Loading the answers" />
}
