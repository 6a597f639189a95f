import { getAssignmentPaper } from '@assay/shared/rubric-endpoints.ts'
import type { Rubric } from '@assay/shared/rubrics.ts'
import { Button, SegmentedControl } from '@mantine/core'
import { useEffect, useMemo, useState } from 'react'
import type { PdfHighlight } from '../../../components/pdf/PdfHighlights.tsx'
import { PdfViewer } from '../../../components/pdf/PdfViewer.tsx'
import { usePdfSource } from '../../../components/pdf/usePdfSource.ts'
import { urlFor } from '../../../lib/api/http-client.ts'
import classes from './RubricPapersPane.module.css'
import { type DrawingTask, useRubricPapers } from './rubric-papers.tsx'

const names = [
  { value: 'blank', label: 'Blank assignment' },
  { value: 'key', label: 'Answer key' },
] as const

interface Props {
  assignmentId: number
  rubric: Rubric
  selected: string | null
  select: (questionId: string) => void
  /** Over the questions instead of beside them. */
  sheet?: boolean
}

/** If the papers crash, the rubric beside them stays. */
export function RubricPapersPane({ assignmentId, rubric, selected, select, sheet = false }: Props) {
  const { which, show, scrollTarget, task, cancel, drawn } = useRubricPapers()
  const [hovered, hover] = useState<string | null>(null)
  const source = usePdfSource(urlFor(getAssignmentPaper, { assignmentId, which }))
  const areas = useMemo(() => (which === 'blank' ? answerAreas(rubric) : []), [which, rubric])

  useEffect(() => {
    if (!task) return
    const leave = (event: KeyboardEvent) => event.key === 'Escape' && cancel()
    window.addEventListener('keydown', leave)
    return () => window.removeEventListener('keydown', leave)
  }, [task, cancel])

  return (
    <section className={classes.root} data-sheet={sheet || undefined} aria-label="Blank assignment and answer key">
      <SegmentedControl
        aria-label="Which paper"
        fullWidth
        data={[...names]}
        value={which}
        disabled={task !== null}
        onChange={(value) => show(value === 'key' ? 'key' : 'blank')}
      />
      <div role="status">
        {task && (
          <div className={classes.task}>
            <span>{taskText(task)}</span>
            <Button variant="default" size="xs" onClick={cancel}>
              Cancel
            </Button>
          </div>
        )}
      </div>
      <div className={classes.page}>
        <PdfViewer
          source={source}
          highlights={areas}
          selected={task?.question.id ?? selected}
          hovered={hovered}
          select={select}
          hover={hover}
          scrollTarget={which === 'blank' ? scrollTarget : null}
          drawing={task && { done: drawn }}
        />
      </div>
    </section>
  )
}

const taskText = ({ kind, question: { number } }: DrawingTask) =>
  kind === 'region'
    ? `Drag a rectangle around the space for the answer to question ${number}.`
    : `Drag a rectangle around the answer to question ${number} in the key.`

const answerAreas = ({ questions }: Rubric): PdfHighlight[] =>
  questions.flatMap(({ id, number, regions }) =>
    // A number that is being typed may be none yet.
    regions
      .filter(({ page, box }) => [page, ...Object.values(box)].every(Number.isFinite))
      .map(({ page, box }) => ({
        group: id,
        page,
        box,
        tag: number,
        tone: 'area' as const,
        label: `Answer area of question ${number}`,
      })),
  )
