import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { SecondaryButton, SubtleButton } from '../../../components/display/buttons.tsx'
import { Notice } from '../../../components/feedback/Notice.tsx'
import { plural } from '../../../lib/format.ts'
import classes from './GradingScreen.module.css'
import type { MarkFirst } from './useMarkFirst.ts'

export const MARK_FIRST_KEY = 'o'

export function MarkFirstNotice({ markFirst, otherwise }: { markFirst: MarkFirst; otherwise: ReactNode }) {
  const { offered, isMore, learnsFrom, answer, place, told, stop, next } = markFirst
  if (answer)
    return (
      <div className={classes.notice}>
        <Notice
          title={`${isMore ? 'Mark these next' : 'Mark these first'}: ${place.at} of ${place.of}`}
          actions={
            <>
              <SecondaryButton size="compact-sm" onClick={next}>
                Skip
              </SecondaryButton>
              <SubtleButton size="compact-sm" onClick={stop}>
                Go to the groups
              </SubtleButton>
            </>
          }
        >
          {told ?? learnsSentence(learnsFrom)}
        </Notice>
      </div>
    )
  if (offered.length === 0 || isMore) return null
  return (
    <div className={classes.notice}>
      <Notice
        actions={
          <>
            <MarkButton markFirst={markFirst} variant="filled" />
            {otherwise}
          </>
        }
      >
        {offered.length === 1 ? 'Mark this answer first.' : `Mark these ${plural(offered.length, 'answer')} first.`}{' '}
        {learnsSentence(learnsFrom)}
      </Notice>
    </div>
  )
}

/** An LLM learns only when it grades next. */
const learnsSentence = (from: MarkFirst['learnsFrom']) =>
  from === 'like'
    ? 'The grader learns from your marks.'
    : 'Your marks also count for matching answers. The AI model sees them when it grades again.'

interface ButtonProps {
  markFirst: MarkFirst
  variant: 'default' | 'filled'
}

export function MarkButton({ markFirst: { offered, isMore, start }, variant }: ButtonProps) {
  if (offered.length === 0) return null
  const first = offered.length === 1 ? 'Mark it' : 'Mark them'
  return (
    <Button
      size="compact-sm"
      variant={variant}
      rightSection={<kbd aria-hidden>{MARK_FIRST_KEY}</kbd>}
      aria-keyshortcuts={MARK_FIRST_KEY}
      onClick={start}
    >
      {isMore ? `Mark ${offered.length} more` : first}
    </Button>
  )
}
