import { getAssignmentPaper } from '@assay/shared/rubric-endpoints.ts'
import type { Rubric } from '@assay/shared/rubrics.ts'
import { Modal, SegmentedControl } from '@mantine/core'
import { type ComponentProps, type ReactNode, useEffect, useMemo, useState } from 'react'
import { CancelButton } from '../../../components/display/buttons.tsx'
import type { PdfHighlight } from '../../../components/pdf/PdfHighlights.tsx'
import { PdfViewer } from '../../../components/pdf/PdfViewer.tsx'
import { usePdfSource } from '../../../components/pdf/usePdfSource.ts'
import { urlFor } from '../../../lib/api/http-client.ts'
import classes from './RubricPapersPane.module.css'
import { type DrawingTask, useRubricPapers } from './useRubricPapers.tsx'

const papers = ['blank', 'key'] as const

const names = { blank: 'Blank assignment', key: 'Answer key', both: 'Both' }

interface RubricPapersPaneProps {
  assignmentId: number
  rubric: Rubric
  selected: string | null
  select: (questionId: string) => void
  sheet?: boolean
}

/** If the papers crash, the rubric beside them stays. */
export function RubricPapersPane({ assignmentId, rubric, selected, select, sheet = false }: RubricPapersPaneProps) {
  const { which: chosen, show, keyFormOpened, scrollTarget, task, cancel, drawn } = useRubricPapers()
  const which = sheet && chosen === 'both' ? (keyFormOpened ? 'key' : 'blank') : chosen
  const [hovered, hover] = useState<string | null>(null)
  const shown = which === 'both' ? papers : [which]

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
        data={(sheet ? papers : [...papers, 'both' as const]).map((value) => ({ value, label: names[value] }))}
        value={which}
        disabled={task !== null}
        onChange={show}
      />
      <div role="status">
        {task && (
          <div className={classes.task}>
            <span>{taskText(task)}</span>
            <CancelButton onClick={cancel} />
          </div>
        )}
      </div>
      {shown.map((paper) => (
        <section key={paper} className={classes.page} aria-label={names[paper]}>
          <PaperPages
            assignmentId={assignmentId}
            paper={paper}
            rubric={rubric}
            selected={task?.question.id ?? selected}
            hovered={hovered}
            select={select}
            hover={hover}
            scrollTarget={scrollTarget}
            drawing={task && { done: drawn }}
            name={shown.length > 1 ? names[paper] : undefined}
          />
        </section>
      ))}
    </section>
  )
}

export function RubricPapersSheet({ children }: { children: ReactNode }) {
  const { sheetOpened, setSheetOpened } = useRubricPapers()
  return (
    <Modal opened={sheetOpened} onClose={() => setSheetOpened(false)} title="Blank and key" fullScreen>
      <div className={classes.sheet}>{children}</div>
    </Modal>
  )
}

interface PaperPagesProps extends Omit<ComponentProps<typeof PdfViewer>, 'source' | 'highlights'> {
  assignmentId: number
  paper: (typeof papers)[number]
  rubric: Rubric
}

function PaperPages({ assignmentId, paper, rubric, ...viewer }: PaperPagesProps) {
  const source = usePdfSource(urlFor(getAssignmentPaper, { assignmentId, which: paper }))
  const areas = useMemo(() => answerAreas(rubric, paper), [rubric, paper])
  return <PdfViewer source={source} highlights={areas} {...viewer} />
}

const taskText = ({ kind, question: { number } }: DrawingTask) =>
  kind === 'region'
    ? `Drag a rectangle around the space for the answer to question ${number}.`
    : `Drag a rectangle around the answer to question ${number} in the key.`

const answerAreas = ({ questions }: Rubric, paper: PaperPagesProps['paper']): PdfHighlight[] =>
  questions.flatMap(({ id, number, regions, key_regions = [] }) =>
    // A number being typed may be none yet.
    (paper === 'blank' ? regions : key_regions)
      .filter(({ page, box }) => [page, ...Object.values(box)].every(Number.isFinite))
      .map(({ page, box }) => ({
        group: id,
        page,
        box,
        tag: number,
        tone: 'area' as const,
        label: `${paper === 'blank' ? 'Answer area' : 'Key’s answer'} of question ${number}`,
      })),
  )
