import type { Assignment } from '@assay/shared/assignments.ts'
import type { ActiveGrader, QuestionToGrade } from '@assay/shared/questions.ts'
import { listOf } from '@assay/shared/rules/format-list.ts'
import { ActionIcon, Tooltip } from '@mantine/core'
import {
  IconArrowBackUp,
  IconArrowLeft,
  IconChevronLeft,
  IconChevronRight,
  IconKeyboard,
  IconUser,
} from '@tabler/icons-react'
import type { ReactNode } from 'react'
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
        <HeaderButton label="Previous group" keyName="k" onClick={previous} framed>
          <IconChevronLeft size={20} />
        </HeaderButton>
        <span className={classes.place}>
          {groups.at} of {groups.all}
        </span>
        <HeaderButton label="Next group" keyName="j" onClick={next} framed>
          <IconChevronRight size={20} />
        </HeaderButton>
      </nav>
      <HeaderButton label="Undo" keyName="z" onClick={undo}>
        <IconArrowBackUp size={20} />
      </HeaderButton>
      <span className={classes.keys}>
        <HeaderButton label="Keyboard shortcuts" keyName="?" onClick={showKeys}>
          <IconKeyboard size={20} />
        </HeaderButton>
      </span>
    </header>
  )
}

interface HeaderButtonProps {
  label: string
  keyName: string
  /** Null keeps the button, and the focus, in place. */
  onClick: (() => void) | null
  framed?: boolean
  children: ReactNode
}

function HeaderButton({ label, keyName, onClick, framed = false, children }: HeaderButtonProps) {
  return (
    <Tooltip label={`${label} (${keyName})`} disabled={!onClick}>
      <ActionIcon
        variant={framed ? 'default' : 'subtle'}
        color="gray"
        size={framed ? 36 : 40}
        aria-label={label}
        aria-keyshortcuts={keyName}
        aria-disabled={!onClick}
        className={classes.button}
        onClick={() => onClick?.()}
      >
        {children}
      </ActionIcon>
    </Tooltip>
  )
}
