import { type Assignment, getAssignment } from '@assay/shared/assignments.ts'
import { listQuestions, type QuestionProgress } from '@assay/shared/questions.ts'
import { listOf } from '@assay/shared/rules/format-list.ts'
import { ownPrompts } from '@assay/shared/rules/own-prompt.ts'
import { IconUser } from '@tabler/icons-react'
import { LinkButton, PrimaryLinkButton } from '../../components/display/buttons.tsx'
import { ProgressBar } from '../../components/display/ProgressBar.tsx'
import { StatusBadge } from '../../components/display/StatusBadge.tsx'
import { EmptyState } from '../../components/feedback/EmptyState.tsx'
import { Loaded, Page, PageHeader, RowSkeletons } from '../../components/layout/Page.tsx'
import { MathText } from '../../components/math/MathText.tsx'
import { useGet } from '../../lib/api/api-hooks.ts'
import { formatCount, formatPoints, formatTimeLeft, plural } from '../../lib/format.ts'
import { useLater } from '../../lib/hooks/useLater.ts'
import { useRouteIds } from '../../lib/hooks/useRouteIds.ts'
import { accuracyPath, questionPath, submissionsPath } from '../../paths.ts'
import { useQuestionEvents } from './grading/useLiveQuestion.ts'
import classes from './QuestionsPage.module.css'

/** A busy minute's decisions are counted a few times, not each. */
const RECOUNT_MS = 3000
/** No event tells who has a question open. */
const POLL_MS = 60_000

export function QuestionsPage() {
  const { assignmentId } = useRouteIds('assignmentId')
  const assignment = useGet(getAssignment, { assignmentId })
  const questions = useGet(listQuestions, { assignmentId }, undefined, { refreshIntervalMs: POLL_MS })
  const recount = useLater(() => Promise.all([questions.reload(), assignment.reload()]))
  useQuestionEvents(assignmentId, undefined, () => recount(RECOUNT_MS))
  const list = submissionsPath(assignmentId)
  const title = assignment.data?.title ?? 'Assignment'
  return (
    <Page>
      <PageHeader
        title="Grade by question"
        tabTitle={`Grade by question, ${title}`}
        subtitle="Matching answers are grouped, so you grade each group once."
        crumbs={[{ label: title, to: list }, { label: 'Grade by question' }]}
        actions={
          <>
            <LinkButton to={accuracyPath(assignmentId)}>Check accuracy</LinkButton>
            <LinkButton to={list}>Grade by student</LinkButton>
          </>
        }
      />
      <Loaded
        query={questions}
        title="Error Loading Questions"
        fallback="The questions could not be loaded."
        actions={<LinkButton to={list}>Back to submissions</LinkButton>}
        skeleton={<RowSkeletons count={5} label="Loading questions" />}
      >
        {(data) => <Questions assignmentId={assignmentId} questions={data} list={list} assignment={assignment.data} />}
      </Loaded>
    </Page>
  )
}

interface QuestionsProps {
  assignmentId: number
  questions: QuestionProgress[]
  list: string
  assignment: Assignment | undefined
}

function Questions({ assignmentId, questions, list, assignment }: QuestionsProps) {
  const doubtful = new Set(assignment?.doubtful_results?.map(({ question_id }) => question_id))
  const prompts = ownPrompts(questions.map(({ prompt }) => prompt))
  const answers = sum(questions.map((question) => question.answers))
  if (answers === 0)
    return (
      <EmptyState
        title="No answers to grade yet"
        action={<PrimaryLinkButton to={list}>Back to submissions</PrimaryLinkButton>}
      >
        Answers appear here after “Process &amp; Grade” has read the papers.
      </EmptyState>
    )
  const decided = sum(questions.map((question) => question.decided))
  const minutes = sum(questions.map((question) => question.minutes_left))
  return (
    <>
      <div className={classes.total}>
        <span>
          <strong>
            {decided === answers ? 'All answers are decided' : `${decided} of ${plural(answers, 'answer')}`}
          </strong>
          {decided < answers && ' decided'}
        </span>
        {minutes > 0 && <span className="dim">{formatTimeLeft(minutes * 60)}</span>}
        {decided === answers && assignment?.status === 'draft' && (
          <PrimaryLinkButton to={list}>Look over and publish</PrimaryLinkButton>
        )}
      </div>
      <ol className="boxed-list">
        {questions.map((question, i) => (
          <QuestionProgressItem
            key={question.question_id}
            assignmentId={assignmentId}
            question={question}
            prompt={prompts[i] ?? ''}
            doubtful={doubtful.has(question.question_id)}
            isNext={question === questions.find((one) => one.decided < one.answers)}
          />
        ))}
      </ol>
    </>
  )
}

const sum = (numbers: number[]) => numbers.reduce((total, one) => total + one, 0)

interface Props {
  assignmentId: number
  question: QuestionProgress
  prompt: string
  doubtful: boolean
  isNext: boolean
}

function QuestionProgressItem({ assignmentId, question, prompt, doubtful, isNext }: Props) {
  const { answers, decided, groups, undecided_groups, flagged, by_hand, mean, points, minutes_left, graders } = question
  const name = `Question ${question.number}`
  const done = answers > 0 && decided === answers
  return (
    <li className={classes.question} aria-label={name}>
      <div className={classes.words}>
        <h2 className={classes.name}>
          {name} <span>{plural(points, 'point')}</span>
        </h2>
        <p className={classes.prompt}>
          <MathText>{prompt}</MathText>
        </p>
      </div>
      <div className={classes.measure}>
        <span className={classes.row}>
          <span className={classes.decided}>
            {formatCount(decided)} of {plural(answers, 'answer')} decided
          </span>
          {minutes_left > 0 && <span className={classes.facts}>{formatTimeLeft(minutes_left * 60)}</span>}
        </span>
        <ProgressBar max={Math.max(1, answers)} value={decided} label={`${name}, decided`} />
        <span className={classes.facts}>
          {done ? plural(groups, 'group') : `${formatCount(undecided_groups)} of ${plural(groups, 'group')} left`}
          {mean !== null && ` · mean ${formatPoints(mean)} of ${formatPoints(points)}`}
        </span>
      </div>
      <div className={classes.state}>
        {doubtful && <StatusBadge status="failed">Key may be wrong</StatusBadge>}
        {done && <StatusBadge status="reviewed">Decided</StatusBadge>}
        {flagged > 0 && <StatusBadge status="flagged">{`${formatCount(flagged)} flagged`}</StatusBadge>}
        {by_hand > 0 && <StatusBadge status="by_hand">{`${formatCount(by_hand)} for you to grade`}</StatusBadge>}
        {graders.length > 0 && (
          <span className={classes.graders}>
            <IconUser size={15} aria-hidden /> {listOf(graders.map(({ name }) => name))}{' '}
            {graders.length === 1 ? 'is' : 'are'} grading
          </span>
        )}
      </div>
      <LinkButton
        to={questionPath(assignmentId, question.question_id)}
        variant={isNext ? 'filled' : 'default'}
        aria-label={`${done ? 'Open' : 'Grade'} question ${question.number}`}
        className={classes.open}
      >
        {done ? 'Open' : 'Grade'}
      </LinkButton>
    </li>
  )
}
