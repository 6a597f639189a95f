import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { Notice } from '../../../components/feedback/Notice.tsx'
import { plural } from '../../../lib/format.ts'
import classes from './GradingScreen.module.css'
import type { MarkFirst } from './useMarkFirst.ts'

/** Begins with them. */
export const MARK_FIRST_KEY = 'o'

/** Offers to mark a few answers first; meanwhile says how many are left, and what the last one has changed. */
export function MarkFirstNotice({
  markFirst,
  otherwise,
  leave,
}: {
  markFirst: MarkFirst
  /** What can be done instead. */
  otherwise: ReactNode
  /** Takes the focus from a button that goes: Enter would press the one in its place. */
  leave: () => void
}) {
  const { offered, answer, place, told, start, stop, next } = markFirst
  const leaving = (act: () => void) => () => {
    act()
    leave()
  }
  if (answer)
    return (
      <div className={classes.notice}>
        <Notice
          title={`Mark these first: ${place.at} of ${place.of}`}
          actions={
            <>
              <Button size="compact-sm" variant="default" onClick={leaving(next)}>
                Skip
              </Button>
              <Button size="compact-sm" variant="subtle" onClick={leaving(stop)}>
                Go to the groups
              </Button>
            </>
          }
        >
          {told ?? 'The grader learns from them.'}
        </Notice>
      </div>
    )
  if (offered.length === 0) return null
  return (
    <div className={classes.notice}>
      <Notice
        actions={
          <>
            <Button
              size="compact-sm"
              rightSection={<kbd aria-hidden>{MARK_FIRST_KEY}</kbd>}
              aria-keyshortcuts={MARK_FIRST_KEY}
              onClick={leaving(start)}
            >
              {offered.length === 1 ? 'Mark it' : 'Mark them'}
            </Button>
            {otherwise}
          </>
        }
      >
        {offered.length === 1
          ? 'Mark this answer first; the grader learns from it.'
          : `Mark these ${plural(offered.length, 'answer')} first; the grader learns from them.`}
      </Notice>
    </div>
  )
}
