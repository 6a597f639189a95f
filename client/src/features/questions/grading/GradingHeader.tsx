import type { Assignment } from '@assay/shared/assignments.ts'
import type { ActiveGrader, QuestionToGrade } from '@assay/shared/questions.ts'
import { listOf } from '@assay/shared/rules/format-list.ts'
import { ActionIcon } from '@mantine/core'
import {
  IconArrowBackUp,
  IconArrowLeft,
  IconChevronLeft,
  IconChevronRight,
  IconKeyboard,
  IconUser,
} from '@tabler/icons-react'
import { ToolButton } from '../../../components/display/ToolButton.tsx'
import { BackButton } from '../../../components/layout/BackButton.tsx'
import { Breadcrumbs } from '../../../components/layout/Breadcrumbs.tsx'
import { plural } from '../../../lib/format.ts'
import { questionsPath, submissionsPath } from '../../../paths.ts'
import classes from './GradingHeader.module.css'

interface Props {
  assignmentId: number
  assignment: Assignment | undefined
  question: QuestionToGrade['question']
  graders: ActiveGrader[]
  groups: { decided: number; all: number; at: number }
  previous: (() => void) | null
  next: (() => void) | null
  undo: (() => void) | null
  showKeys: () => void
  toList: (() => void) | null
}

export function GradingHeader(props: Props) {
  const { assignmentId, assignment, question, graders, groups, previous, next, undo, showKeys, toList } = props
  const title = assignment?.title ?? 'Assignment'
  return (
    <header className={classes.root}>
      <BackButton
        to={questionsPath(assignmentId)}
        label="Back to questions"
        className={toList ? classes.backToQuestions : undefined}
      />
      {toList && (
        <ActionIcon color="gray" size={40} aria-label="Back to groups" className={classes.backToList} onClick={toList}>
          <IconArrowLeft size={20} />
        </ActionIcon>
      )}
      <div className={classes.what}>
        <Breadcrumbs
          inOneLine
          crumbs={[
            { label: title, to: submissionsPath(assignmentId) },
            { label: 'Grade by question', to: questionsPath(assignmentId) },
            { label: `Question ${question.number}` },
          ]}
        />
        <div className={classes.titleLine}>
          <h1 className={classes.title}>Question {question.number}</h1>
          <span className={classes.progress}>
            {groups.decided} of {plural(groups.all, 'group')} decided
          </span>
          {graders.length > 0 && (
            <span className={classes.graders} role="note">
              <IconUser size={15} aria-hidden /> {listOf(graders.map(({ name }) => name))}{' '}
              {graders.length === 1 ? 'is' : 'are'} here too
            </span>
          )}
        </div>
      </div>
      <nav aria-label="Groups" className={classes.ways}>
        {toolButton('Previous group', 'k', previous, IconChevronLeft, true)}
        <span className={classes.place}>
          {groups.at} of {groups.all}
        </span>
        {toolButton('Next group', 'j', next, IconChevronRight, true)}
      </nav>
      {toolButton('Undo', 'z', undo, IconArrowBackUp)}
      <span className={classes.keys}>{toolButton('Keyboard shortcuts', '?', showKeys, IconKeyboard)}</span>
    </header>
  )
}

/** Without `act`, the button and the focus stay in place. */
const toolButton = (
  label: string,
  keyName: string,
  act: (() => void) | null,
  Icon: typeof IconUser,
  framed = false,
) => (
  <ToolButton
    label={label}
    keyName={keyName}
    variant={framed ? 'default' : 'subtle'}
    size={framed ? 36 : 40}
    aria-disabled={!act}
    className={classes.button}
    onClick={() => act?.()}
  >
    <Icon size={20} />
  </ToolButton>
)
