import type { QuestionToGrade } from '@assay/shared/questions.ts'
import { listQuestions } from '@assay/shared/questions.ts'
import { Button } from '@mantine/core'
import { useMemo, useState } from 'react'
import { useNavigate } from 'react-router-dom'
import { PrimaryLinkButton, SecondaryButton, SubtleButton } from '../../../components/display/buttons.tsx'
import { Notice } from '../../../components/feedback/Notice.tsx'
import { useGet } from '../../../lib/api/api-hooks.ts'
import { plural } from '../../../lib/format.ts'
import { questionPath, questionsPath } from '../../../paths.ts'
import { type GroupOfAnswers, isDecided, isSure } from './answer-groups.ts'
import { MarkButton, type MarkFirst } from './MarkFirstNotice.tsx'
import type { Problem, QuestionChanges } from './useQuestionChanges.ts'

export function GradingNotices({ problems, dismiss }: { problems: Problem[]; dismiss: (id: number) => void }) {
  return problems.map(({ id, tone, title, words, solve }) => (
    <div key={id} role={tone === 'warn' ? 'alert' : undefined}>
      <Notice
        tone={tone}
        title={title}
        actions={
          <>
            {solve && (
              <Button
                size="compact-sm"
                onClick={() => {
                  dismiss(id)
                  solve.run()
                }}
              >
                {solve.label}
              </Button>
            )}
            <SubtleButton size="compact-sm" onClick={() => dismiss(id)}>
              {solve ? 'Leave as it is' : 'Dismiss'}
            </SubtleButton>
          </>
        }
      >
        {words}
      </Notice>
    </div>
  ))
}

export function AllDecidedNotice({ end: { next, address, allDone } }: { end: QuestionEnd }) {
  return (
    <Notice
      actions={
        <PrimaryLinkButton to={address} size="compact-sm" rightSection={<kbd aria-hidden>n</kbd>} aria-keyshortcuts="n">
          {next ? `Grade question ${next.number}` : 'Back to questions'}
        </PrimaryLinkButton>
      }
    >
      {allDone ? 'All answers to all questions are decided.' : 'All answers to this question are decided.'}
    </Notice>
  )
}

interface Props {
  sure: SureSuggestions
  marked: MarkFirst
  accept: () => void
  undo: () => void
}

export function SureNotice({ sure, marked, accept, undo }: Props) {
  const { told, learning, offered, isMore, expected } = marked
  const { answers, left, accepted } = sure
  const count = answers.length
  if (accepted !== null)
    return (
      <Notice
        actions={
          <SecondaryButton
            size="compact-sm"
            rightSection={<kbd aria-hidden>z</kbd>}
            aria-keyshortcuts="z"
            onClick={undo}
          >
            Undo
          </SecondaryButton>
        }
      >
        {plural(accepted, 'suggestion')} accepted.
        {left > 0 && ` ${plural(left, 'answer is', 'answers are')} left for you to look at.`}
      </Notice>
    )
  const words = learning && told !== null ? 'Suggestions are being updated by your marks.' : told
  const offer =
    left === 0
      ? `The grader is confident in all ${count} answers that are left.`
      : `The grader is confident in ${count} answers. ${plural(left, 'other needs', 'others need')} your eye.`
  const more = isMore && offered.length > 0
  if (count + left === 0 || (count < LEAST && words === null && !more)) return null
  return (
    <Notice
      busy={learning && told !== null}
      actions={
        (count >= LEAST || more) && (
          <>
            <AcceptSureButton count={count} accept={accept} variant={learning ? 'default' : 'filled'} />
            {more && <MarkButton markFirst={marked} variant="default" />}
          </>
        )
      }
    >
      {[words ?? (more && expected), count >= LEAST && offer].filter(Boolean).join(' ')}
    </Notice>
  )
}

const LEAST = 2

interface ButtonProps {
  count: number
  accept: () => void
  variant: 'default' | 'filled'
}

export function AcceptSureButton({ count, accept, variant }: ButtonProps) {
  if (count < LEAST) return null
  return (
    <Button
      size="compact-sm"
      variant={variant}
      rightSection={<kbd aria-hidden>Shift a</kbd>}
      aria-keyshortcuts="Shift+A"
      onClick={accept}
    >
      Accept {count} clear suggestions
    </Button>
  )
}

const REFRESH_MS = 10_000

type QuestionEnd = ReturnType<typeof useQuestionEnd>

export function useQuestionEnd(
  assignmentId: number,
  { id, criteria }: QuestionToGrade['question'],
  groups: readonly GroupOfAnswers[],
) {
  const navigate = useNavigate()
  const decidedGroups = useMemo(
    () => groups.filter(({ answers }) => answers.every((answer) => isDecided(answer, criteria))).length,
    [groups, criteria],
  )
  const allDecided = decidedGroups === groups.length
  const { data } = useGet(listQuestions, { assignmentId }, undefined, {
    enabled: allDecided,
    refreshIntervalMs: REFRESH_MS,
  })
  const at = data?.findIndex((question) => question.question_id === id) ?? -1
  const others = data ? [...data.slice(at + 1), ...data.slice(0, Math.max(0, at))] : []
  const next = others.find(({ decided, answers }) => decided < answers) ?? null
  const address = next ? questionPath(assignmentId, next.question_id) : questionsPath(assignmentId)
  const allDone = data !== undefined && next === null
  return { decidedGroups, allDecided, next, allDone, address, leave: () => void navigate(address) }
}

type SureSuggestions = ReturnType<typeof useSureSuggestions>

export function useSureSuggestions(
  { answers: all, decide }: Pick<QuestionChanges, 'answers' | 'decide'>,
  criteria: QuestionToGrade['question']['criteria'],
) {
  const [accepted, setAccepted] = useState<number | null>(null)
  // Undecided answers that need no look of their own.
  const answers = all.filter((answer) => isSure(answer, criteria))
  return {
    answers,
    left: all.filter((answer) => !isDecided(answer, criteria)).length - answers.length,
    accepted,
    accept(): number[] {
      if (answers.length === 0) return []
      void decide(answers, 'suggested').then((stored) => stored || setAccepted(null))
      setAccepted(answers.length)
      return answers.map(({ submission_id }) => submission_id)
    },
    forget: () => setAccepted(null),
  }
}
