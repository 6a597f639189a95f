import { getSubmissionFile, type Submission } from '@assay/shared/submissions.ts'
import { type ReactNode, Suspense } from 'react'
import type { PdfHighlight } from '../../../components/pdf/PdfHighlights.tsx'
import { PdfSkeleton } from '../../../components/pdf/PdfSkeleton.tsx'
import { usePdfSource } from '../../../components/pdf/usePdfSource.ts'
import { SmartErrorBoundary } from '../../../errors/SmartErrorBoundary.tsx'
import { urlFor } from '../../../lib/api/http-client.ts'
import { lazyComponent } from '../../../lib/loading/lazy-component.tsx'
import classes from './ReviewScreen.module.css'
import type { HighlightSelection } from './useHighlightSelection.ts'

const PdfPages = lazyComponent(() => import('../../../components/pdf/PdfPages.tsx').then((part) => part.PdfPages))

interface Props {
  submission: Pick<Submission, 'assignment_id' | 'id' | 'next_id' | 'turned_pages' | 'names_hidden'>
  highlights: PdfHighlight[]
  highlightSelection: HighlightSelection
  select: (group: string) => void
  /** In the bar above the paper. */
  tools?: ReactNode
}

/** The student's paper. Whatever befalls it, the grade beside it stays. */
export function PaperPane({ submission, highlights, highlightSelection, select, tools }: Props) {
  const { assignment_id: assignmentId, id, next_id, turned_pages, names_hidden } = submission
  // Another address, so that a file opened with names is not shown once they are hidden.
  const variant = names_hidden ? '?names=hidden' : ''
  const fileOf = (submissionId: number) => urlFor(getSubmissionFile, { assignmentId, submissionId }) + variant
  const source = usePdfSource(fileOf(id))
  const next = usePdfSource(next_id === null ? null : fileOf(next_id))
  return (
    <div className={classes.paper}>
      <SmartErrorBoundary context="file" beforeRetry={PdfPages.loadAgain}>
        <Suspense fallback={<PdfSkeleton />}>
          <PdfPages
            source={source}
            next={next}
            highlights={highlights}
            selected={highlightSelection.selected}
            hovered={highlightSelection.hovered}
            select={select}
            hover={highlightSelection.hover}
            scrollTarget={highlightSelection.scrollTarget}
            tools={tools}
            turnedPages={turned_pages}
          />
        </Suspense>
      </SmartErrorBoundary>
    </div>
  )
}
