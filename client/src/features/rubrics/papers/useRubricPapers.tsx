import type { Box } from '@assay/shared/papers.ts'
import { getPaperText } from '@assay/shared/rubric-endpoints.ts'
import type { Question } from '@assay/shared/rubrics.ts'
import { createContext, type ReactNode, useContext, useMemo, useState } from 'react'
import { useAnnounce } from '../../../components/feedback/Announcer.tsx'
import { useSend } from '../../../lib/api/api-hooks.ts'
import { toast, tryWithToast } from '../../../lib/toast.ts'
import { addRegion, setExpected, setKeyRegion, withoutNumber } from '../rubric-fixes.ts'
import type { RubricDraft } from '../useRubricDraft.ts'

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

  return useMemo(() => {
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
        update((rubric) =>
          setKeyRegion(setExpected(rubric, question.id, text, criterionId), question.id, { page, box }),
        )
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
  }, [blankPages, which, sheetOpened, keyFormOpened, scrollTarget, task, send, assignmentId, update, announce])
}
