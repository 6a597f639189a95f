import type { Box } from '@assay/shared/papers.ts'
import { getAssignmentPaper, getPaperText } from '@assay/shared/rubric-endpoints.ts'
import type { Question, Rubric } from '@assay/shared/rubrics.ts'
import { Modal, SegmentedControl } from '@mantine/core'
import { type ComponentProps, createContext, type ReactNode, useContext, useEffect, useMemo, useState } from 'react'
import { CancelButton } from '../../../components/display/buttons.tsx'
import { useAnnounce } from '../../../components/feedback/Announcer.tsx'
import type { PdfHighlight } from '../../../components/pdf/PdfHighlights.tsx'
import { PdfViewer } from '../../../components/pdf/PdfViewer.tsx'
import { usePdfSource } from '../../../components/pdf/usePdfSource.ts'
import { useSend } from '../../../lib/api/api-hooks.ts'
import { urlFor } from '../../../lib/api/http-client.ts'
import { toast, tryWithToast } from '../../../lib/toast.ts'
import { addRegion, setExpected, setKeyRegion, withoutNumber } from '../rubric-fixes.ts'
import type { RubricDraft } from '../useRubricDraft.ts'
import classes from './RubricPapersPane.module.css'

export type ShownPapers = 'blank' | 'key' | 'both'

export interface DrawingTask {
  kind: 'region' | 'expected'
  question: Question
  criterionId?: string
}

type RubricPapers = ReturnType<typeof usePapers>

const RubricPapersContext = createContext<RubricPapers | null>(null)

export function useRubricPapers(): RubricPapers {
  const papers = useContext(RubricPapersContext)
  if (!papers) throw new Error('Only inside RubricPapersProvider')
  return papers
}

interface Props {
  assignmentId: number
  draft: RubricDraft
  blankPages: number | null
  children: ReactNode
}

export function RubricPapersProvider({ children, ...props }: Props) {
  return <RubricPapersContext value={usePapers(props)}>{children}</RubricPapersContext>
}

function usePapers({ assignmentId, draft, blankPages }: Omit<Props, 'children'>) {
  const [which, setWhich] = useState<ShownPapers>('both')
  const [sheetOpened, setSheetOpened] = useState(false)
  const [keyFormOpened, setKeyFormOpened] = useState(false)
  const [scrollTarget, setScrollTarget] = useState<{ group: string } | null>(null)
  const [task, setTask] = useState<DrawingTask | null>(null)
  const { send } = useSend(getPaperText)
  const announce = useAnnounce()
  const { update } = draft

  function begin(next: DrawingTask) {
    setTask(next)
    setWhich(next.kind === 'region' ? 'blank' : 'key')
    setSheetOpened(true)
  }
  function end() {
    setTask(null)
    setSheetOpened(false)
  }
  const pick = ({ question, criterionId }: DrawingTask, page: number, box: Box) =>
    tryWithToast('The key could not be read.', async () => {
      const framed = await send({ params: { assignmentId, which: 'key' }, query: { page, ...box } })
      const text = withoutNumber(framed.text, question.number)
      if (text === '') return toast.info('No words were found there. Drag around the answer, or type it.')
      update((rubric) => setKeyRegion(setExpected(rubric, question.id, text, criterionId), question.id, { page, box }))
      announce(`Expected answer of question ${question.number}: ${text}`)
      end()
    })
  return {
    blankPages,
    which,
    show: (next: ShownPapers) => setWhich(next),
    sheetOpened,
    setSheetOpened: (opened: boolean) => {
      setSheetOpened(opened)
      if (opened) return
      setTask(null)
      setKeyFormOpened(false)
    },
    /** The key is being typed, beside its pages. */
    keyFormOpened,
    openKeyForm: () => {
      setWhich((now) => (now === 'blank' ? 'key' : now))
      setSheetOpened(true)
      setKeyFormOpened(true)
    },
    scrollTarget,
    showRegion: (group: string) => setScrollTarget({ group }),
    task,
    drawRegion: (question: Question) => {
      begin({ kind: 'region', question })
      setScrollTarget({ group: question.id })
    },
    pickExpected: (question: Question, criterionId?: string) =>
      begin({ kind: 'expected', question, ...(criterionId ? { criterionId } : {}) }),
    cancel: end,
    drawn: (page: number, box: Box) => {
      if (task?.kind === 'expected') return void pick(task, page, box)
      if (!task) return
      update((rubric) => addRegion(rubric, task.question.id, { page, box }))
      announce(`Answer area of question ${task.question.number} set on page ${page}.`)
      end()
    },
  }
}

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
