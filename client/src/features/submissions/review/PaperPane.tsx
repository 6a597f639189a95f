import { getAssignmentPaper, getRubric } from '@assay/shared/rubric-endpoints.ts'
import { getSubmissionFile, type Submission } from '@assay/shared/submissions.ts'
import { SegmentedControl } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { type ReactNode, useMemo, useSyncExternalStore } from 'react'
import type { PdfHighlight } from '../../../components/pdf/PdfHighlights.tsx'
import { PdfViewer } from '../../../components/pdf/PdfViewer.tsx'
import type { Pen } from '../../../components/pdf/pen/pen.ts'
import { usePdfSource } from '../../../components/pdf/usePdfSource.ts'
import { useGet } from '../../../lib/api/api-hooks.ts'
import { urlFor } from '../../../lib/api/http-client.ts'
import type { HighlightSelection } from '../../../lib/hooks/useHighlightSelection.ts'
import { browserStore } from '../../../lib/session/browser-store.ts'
import classes from './ReviewScreen.module.css'

interface Props {
  submission: Pick<Submission, 'assignment_id' | 'id' | 'next_id' | 'turned_pages' | 'names_hidden'>
  highlights: PdfHighlight[]
  highlightSelection: HighlightSelection
  select: (group: string) => void
  /** The chosen criterion's, which the key shows. Absent for students, who do not see the key. */
  questionId?: string | null
  tools?: ReactNode
  pen: Pen
}

const views = [
  { value: 'paper', label: 'Paper' },
  { value: 'key', label: 'Key' },
  { value: 'both', label: 'Both' },
] as const

/** If the viewer crashes, the grade beside it stays. */
export function PaperPane({ submission, highlights, highlightSelection, select, questionId, tools, pen }: Props) {
  const { assignment_id: assignmentId, id, next_id, turned_pages, names_hidden } = submission
  // Another address, so that a file cached with names is not shown once they are hidden.
  const variant = names_hidden ? '?names=hidden' : ''
  const fileOf = (submissionId: number) => urlFor(getSubmissionFile, { assignmentId, submissionId }) + variant
  const source = usePdfSource(fileOf(id))
  const next = usePdfSource(next_id === null ? null : fileOf(next_id))
  const both = useMediaQuery('(min-width: 64em)')
  const [chosen, choose] = usePaperView()
  // A window that has become narrow has no room for two.
  const shown = questionId === undefined || (chosen === 'both' && !both) ? 'paper' : chosen
  const paper = (
    <section className={classes.one} aria-label="Paper">
      <PdfViewer
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
        pen={pen}
        name={shown === 'both' ? 'Paper' : undefined}
      />
    </section>
  )
  return (
    <div className={classes.paper}>
      {questionId !== undefined && (
        <SegmentedControl
          aria-label="Show"
          className={classes.switch}
          size="xs"
          data={views.filter(({ value }) => both || value !== 'both')}
          value={shown}
          onChange={choose}
        />
      )}
      <div className={classes.papers}>
        {shown !== 'key' && paper}
        {questionId !== undefined && shown !== 'paper' && (
          <AnswerKey
            assignmentId={assignmentId}
            questionId={questionId}
            name={shown === 'both' ? 'Answer key' : undefined}
          />
        )}
      </div>
    </div>
  )
}

interface AnswerKeyProps {
  assignmentId: number
  questionId: string | null
  name: string | undefined
}

function AnswerKey({ assignmentId, questionId, name }: AnswerKeyProps) {
  const { data } = useGet(getRubric, { assignmentId })
  const question = useMemo(
    () => data?.rubric?.questions.find(({ id }) => id === questionId) ?? null,
    [data, questionId],
  )
  const source = usePdfSource(urlFor(getAssignmentPaper, { assignmentId, which: 'key' }))
  return (
    <section className={classes.one} aria-label="Answer key">
      <PdfViewer source={source} question={question} name={name} />
    </section>
  )
}

export const paperViewStore = browserStore(() => sessionStorage, 'assay.paper-view')

function usePaperView() {
  const stored = useSyncExternalStore(paperViewStore.subscribe, paperViewStore.get)
  return [views.find(({ value }) => value === stored)?.value ?? 'paper', paperViewStore.set] as const
}
