import { Button } from '@mantine/core'
import { Notice } from '../../../components/feedback/Notice.tsx'
import classes from './GradingScreen.module.css'
import type { Problem } from './useQuestionChanges.ts'

/** What was not done as asked, until it is seen to or dismissed. */
export function GradingNotices({ problems, dismiss }: { problems: Problem[]; dismiss: (id: number) => void }) {
  return problems.map(({ id, tone, words, solve }) => (
    <div key={id} className={classes.notice} role={tone === 'warn' ? 'alert' : undefined}>
      <Notice
        tone={tone}
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
            <Button size="compact-sm" variant="subtle" onClick={() => dismiss(id)}>
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
