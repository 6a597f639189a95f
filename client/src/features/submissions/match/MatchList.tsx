import type { Assignment } from '@assay/shared/assignments.ts'
import type { UnmatchedPaper } from '@assay/shared/matches.ts'
import { Button } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import { Link } from 'react-router-dom'
import { EmptyState } from '../../../components/feedback/EmptyState.tsx'
import { EmptyTrayIllustration } from '../../../components/feedback/illustrations.tsx'
import { LoadError } from '../../../components/feedback/LoadError.tsx'
import { RowSkeletons } from '../../../components/layout/PageSkeleton.tsx'
import { plural } from '../../../lib/format.ts'
import { MatchedPapers } from './MatchedPapers.tsx'
import classes from './MatchList.module.css'
import { UnmatchedPaperItem } from './UnmatchedPaperItem.tsx'
import { PER_PAGE, type SelectableStudent, soleSuggestion, useMatching } from './useMatching.ts'

export function MatchList({ assignment, list }: { assignment: Assignment; list: string }) {
  const [skip, setSkip] = useState(0)
  const matching = useMatching(assignment, skip)
  const { papers, settled } = matching
  const root = useRef<HTMLDivElement>(null)
  /** Focus moves to the paper that takes the place of a matched one. */
  const [focusAt, setFocusAt] = useState<number | null>(null)
  const shown = papers.data ?? []
  const { busy } = matching
  useEffect(() => {
    // While something is sent, nothing here can have it.
    if (focusAt === null || busy) return
    const items = root.current?.querySelectorAll('li[data-paper]') ?? []
    const item = items[Math.min(focusAt, items.length - 1)]
    const target = item?.querySelector<HTMLElement>('button, input') ?? root.current?.querySelector('h2')
    target?.focus()
    setFocusAt(null)
  }, [focusAt, busy])

  if (!papers.data) {
    return papers.error ? (
      <LoadError error={papers.error} retry={papers.reload} title="Error Loading Submissions" />
    ) : (
      <RowSkeletons label="Loading papers" />
    )
  }

  const total = papers.total ?? shown.length
  const clear = shown.filter(soleSuggestion).length
  async function settle(paper: UnmatchedPaper, student: SelectableStudent, place: number) {
    if (await matching.settle(paper, student)) setFocusAt(place)
  }

  return (
    <div ref={root}>
      <div className={classes.head}>
        <h2 className={classes.title} tabIndex={-1} aria-live="polite">
          {total === 0 ? 'Every paper has a student' : `${plural(total, 'paper')} without a student`}
        </h2>
        <div className={classes.actions}>
          {clear > 0 && (
            <Button loading={matching.busy} onClick={() => void matching.acceptAll()}>
              {clear === 1 ? 'Accept the suggestion' : `Accept all ${clear} suggestions`}
            </Button>
          )}
          <Button variant="default" disabled={matching.busy || total === 0} onClick={() => void matching.matchAgain()}>
            Match again
          </Button>
        </div>
      </div>
      {total === 0 ? (
        <EmptyState
          illustration={<EmptyTrayIllustration />}
          title="All papers are matched"
          titleOrder={3}
          action={
            <Button component={Link} to={list}>
              Back to submissions
            </Button>
          }
        >
          Every paper belongs to a student in the course.
        </EmptyState>
      ) : (
        <ul className={classes.list} aria-label="Papers without a student">
          {shown.map((paper, place) => (
            <UnmatchedPaperItem
              key={paper.submission.id}
              paper={paper}
              list={list}
              roster={matching.roster}
              busy={matching.busy}
              match={(student) => void settle(paper, student, place)}
            />
          ))}
        </ul>
      )}
      {(skip > 0 || skip + shown.length < total) && (
        <div className={classes.pages}>
          <Button variant="default" disabled={skip === 0} onClick={() => setSkip(Math.max(0, skip - PER_PAGE))}>
            Earlier papers
          </Button>
          <Button
            variant="default"
            disabled={skip + shown.length >= total}
            onClick={() => setSkip(skip + shown.length)}
          >
            Later papers
          </Button>
        </div>
      )}
      <MatchedPapers matched={settled} list={list} busy={matching.busy} undo={(one) => void matching.takeBack(one)} />
    </div>
  )
}
