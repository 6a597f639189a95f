import { Button } from '@mantine/core'
import { Notice } from '../../../components/feedback/Notice.tsx'
import classes from './GradingScreen.module.css'
import type { Problem } from './useQuestionChanges.ts'

/** What was not done as asked, until it is seen to or dismissed. */
export function GradingNotices({
  problems,
  dismiss,
  leave,
}: {
  problems: Problem[]
  dismiss: (id: number) => void
  /** Takes the focus from a button that goes. */
  leave: () => void
}) {
  return problems.map(({ id, tone, title, words, solve }) => (
    <div key={id} className={classes.notice} role={tone === 'warn' ? 'alert' : undefined}>
      <Notice
        tone={tone}
        {...(title ? { title } : {})}
        actions={
          <>
            {solve && (
              <Button
                size="compact-sm"
                onClick={() => {
                  dismiss(id)
                  leave()
                  solve.run()
                }}
              >
                {solve.label}
              </Button>
            )}
            <Button
              size="compact-sm"
              variant="subtle"
              onClick={() => {
                dismiss(id)
                leave()
              }}
            >
              {solve ? 'Leave as it is' : 'Dismiss'}
            </Button>
          </>
        }
      >
        {words.join(' ')}
      </Notice>
    </div>
  ))
}
