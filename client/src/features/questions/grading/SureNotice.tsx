import { Button } from '@mantine/core'
import { Notice } from '../../../components/feedback/Notice.tsx'
import { plural } from '../../../lib/format.ts'
import classes from './GradingScreen.module.css'
import type { SureSuggestions } from './useSureSuggestions.ts'

interface Props {
  sure: SureSuggestions
  accept: () => void
  undo: () => void
  /** Something else should be done before. */
  second: boolean
  /** Suggestions may change soon by what was decided. */
  learning: boolean
  /** Takes the focus from a button that goes: Enter would press the one in its place. */
  leave: () => void
}

/** Offers to accept all suggestions that need no look; afterwards, to take that back. */
export function SureNotice({ sure, accept, undo, second, learning, leave }: Props) {
  const { answers, left, accepted } = sure
  const count = answers.length
  const leaving = (act: () => void) => () => {
    act()
    leave()
  }
  if (accepted !== null)
    return (
      <div className={classes.notice}>
        <Notice
          actions={
            <Button
              size="compact-sm"
              variant="default"
              rightSection={<kbd aria-hidden>z</kbd>}
              aria-keyshortcuts="z"
              onClick={leaving(undo)}
            >
              Undo
            </Button>
          }
        >
          {plural(accepted, 'suggestion')} accepted.
          {left > 0 && ` ${plural(left, 'answer is', 'answers are')} left for you to look at.`}
        </Notice>
      </div>
    )
  // For one alone there is its own button.
  if (count < 2) return null
  return (
    <div className={classes.notice}>
      <Notice
        busy={learning}
        actions={
          <Button
            size="compact-sm"
            variant={second || learning ? 'default' : 'filled'}
            rightSection={<kbd aria-hidden>Shift a</kbd>}
            aria-keyshortcuts="Shift+A"
            onClick={leaving(accept)}
          >
            Accept {count} sure suggestions
          </Button>
        }
      >
        {learning && 'Suggestions are being updated by your marks. '}
        {left === 0
          ? `The grader is sure of all ${count} answers that are undecided.`
          : `The grader is sure of ${count} answers. ${plural(left, 'other stays', 'others stay')} for you to look at.`}
      </Notice>
    </div>
  )
}
