import { Button } from '@mantine/core'
import { Link } from 'react-router-dom'
import { Notice } from '../../../components/feedback/Notice.tsx'
import classes from './GradingScreen.module.css'
import type { QuestionEnd } from './useQuestionEnd.ts'

/** Says that the question is done, and leads to the next that is not. */
export function AllDecidedNotice({ end: { next, address, allDone } }: { end: QuestionEnd }) {
  return (
    <div className={classes.notice}>
      <Notice
        actions={
          <Button
            component={Link}
            to={address}
            size="compact-sm"
            rightSection={<kbd aria-hidden>n</kbd>}
            aria-keyshortcuts="n"
          >
            {next ? `Grade question ${next.number}` : 'Back to questions'}
          </Button>
        }
      >
        {allDone ? 'All answers to all questions are decided.' : 'All answers to this question are decided.'}
      </Notice>
    </div>
  )
}
